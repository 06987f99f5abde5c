import * as z from 'zod'

export type JsonSchema = { readonly [key: string]: unknown }

/** The JSON schema of what a caller sends, without the parts that cost tokens and say nothing. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output' = 'input'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return prune(rest) as JsonSchema
}

const LIMITS = new Set([
  'additionalProperties',
  'minProperties',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'minItems',
  'maxItems',
])

/** The schema of a tool's arguments without limits, which cost tokens: the server checks them anyway and says what is wrong. */
export function withoutLimits(schema: JsonSchema): JsonSchema {
  const strip = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(strip)
    if (node === null || typeof node !== 'object') return node
    const { properties, ...rest } = node as JsonSchema
    const kept = Object.entries(rest).filter(
      ([key, value]) => !LIMITS.has(key) || (key === 'additionalProperties' && value !== false),
    )
    return {
      ...Object.fromEntries(
        kept.map(([key, value]) => [
          key,
          key === 'description' && typeof value === 'string' ? plainWords(value) : strip(value),
        ]),
      ),
      // Names of arguments, which may be those of limits.
      ...(properties === undefined ? {} : { properties: mapValues(properties, strip) }),
    }
  }
  return strip(schema) as JsonSchema
}

/** A document that we implement to the letter speaks of its MVP; nobody else has to. */
export function plainWords(text: string): string {
  return text.replace(/ \(MVP: max (\d+)\)/, ', at most $1')
}

function mapValues(object: unknown, change: (value: unknown) => unknown): JsonSchema {
  return Object.fromEntries(
    Object.entries(object ?? {}).map(([key, value]) => [key, change(value)]),
  )
}

function prune(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(prune)
  if (node === null || typeof node !== 'object') return node
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => !saysNothing(key, value))
      .map(([key, value]) => [key, key === 'anyOf' ? alternatives(prune(value)) : prune(value)]),
  )
}

/** A choice within a choice is one choice. */
function alternatives(choices: unknown): unknown {
  if (!Array.isArray(choices)) return choices
  return choices.flatMap((one) => (one?.anyOf && Object.keys(one).length === 1 ? one.anyOf : [one]))
}

/** zod writes the limits of a safe integer into every integer, and that names are strings into every map. */
function saysNothing(key: string, value: unknown): boolean {
  return (
    (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) ||
    (key === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
    (key === 'propertyNames' && JSON.stringify(value) === '{"type":"string"}')
  )
}
