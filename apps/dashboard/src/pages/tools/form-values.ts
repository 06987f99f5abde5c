import type { Schema } from './tool-types.ts'

export type Kind = 'text' | 'number' | 'boolean' | 'choice' | 'json'

/** The arguments and what is known of each: JSON schema lets `true` stand for anything. */
export function propertiesOf({ properties = {} }: Schema): [name: string, schema: Schema][] {
  return Object.entries(properties).map(([name, one]) => [name, typeof one === 'object' ? one : {}])
}

/** How a value is typed in: anything with parts, or of several types, is typed as JSON. */
export function kindOf(schema: Schema): Kind {
  if (schema.enum !== undefined || schema.const !== undefined) return 'choice'
  if (schema.type === 'string') return 'text'
  if (schema.type === 'number' || schema.type === 'integer') return 'number'
  return schema.type === 'boolean' ? 'boolean' : 'json'
}

/** The arguments a form stands for: an empty field is an argument not given. */
export function argumentsOf(
  schema: Schema,
  values: Readonly<Record<string, string>>,
): { args: Record<string, unknown>; problem?: string } {
  const args: Record<string, unknown> = {}
  for (const [name, property] of propertiesOf(schema)) {
    const text = values[name] ?? ''
    if (text === '') continue
    const kind = kindOf(property)
    if (kind === 'text' || kind === 'choice') args[name] = text
    else if (kind === 'boolean') args[name] = text === 'true'
    // What is not a number is sent as it is: the tool says what is wrong with it.
    else if (kind === 'number') args[name] = Number.isFinite(Number(text)) ? Number(text) : text
    else {
      try {
        args[name] = JSON.parse(text)
      } catch {
        if (!acceptsText(property))
          return {
            args,
            problem: `${name} is not valid JSON: put strings in quotes and lists in brackets`,
          }
        args[name] = text
      }
    }
  }
  return { args }
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function acceptsText({ type, anyOf }: Schema): boolean {
  if (anyOf) return anyOf.some(acceptsText)
  return type === undefined || type === 'string' || (Array.isArray(type) && type.includes('string'))
}
