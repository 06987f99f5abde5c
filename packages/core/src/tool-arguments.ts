import * as z from 'zod'
import { argumentError } from './argument-errors.ts'
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts'
import type { Issue } from './result.ts'
import type { Tool } from './tool.ts'
import { toolCollection } from './tool-collection.ts'
import { describeTool, type Profile } from './tool-description.ts'

interface WholeCheck {
  /** A rule over all arguments together, such as "at least one field". */
  readonly check: (value: Readonly<Record<string, unknown>>) => boolean
  readonly message: string
  /** How the JSON schema says the same. */
  readonly jsonSchema?: JsonSchema
}

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly Issue[] }

const MOST_ARGUMENTS = 200

/**
 * Base of every argument model. Unknown arguments are refused, and assigning to a parsed value is validated too.
 */
export class ToolArguments<A extends z.ZodRawShape = z.ZodRawShape> {
  readonly schema: z.ZodObject<A>
  readonly #whole?: WholeCheck
  #jsonSchema?: JsonSchema

  constructor(shape: A, whole?: WholeCheck) {
    this.schema = z.strictObject(shape) as z.ZodObject<A>
    this.#whole = whole
  }

  parse(input: unknown): Parsed<z.output<z.ZodObject<A>>> {
    const tooMany = tooManyArguments(input)
    if (tooMany) return { ok: false, issues: [tooMany] }
    const parsed = this.schema.safeParse(input ?? {}, { error: argumentError })
    if (!parsed.success) return { ok: false, issues: parsed.error.issues.map(issueOf) }
    if (this.#whole && !this.#whole.check(parsed.data)) {
      return { ok: false, issues: [{ path: '', message: this.#whole.message, code: 'custom' }] }
    }
    return { ok: true, value: this.#guarded(parsed.data) }
  }

  toJsonSchema(): JsonSchema {
    this.#jsonSchema ??= { ...jsonSchemaOf(this.schema), ...this.#whole?.jsonSchema }
    return this.#jsonSchema
  }

  toSchemaMarkdown(): string {
    return schemaMarkdown(this.toJsonSchema())
  }

  static buildToolDescription(tool: Tool, profile: Profile = 'full'): string {
    return describeTool(tool, profile)
  }

  /** Adds the tool to the collection and returns it unchanged. */
  static declare<T extends Tool>(tool: T): T {
    toolCollection.declare(tool)
    return tool
  }

  /** All declared tools, each handed out once: a second call returns nothing. */
  static getDeclaredTools(): Map<string, Tool> {
    return toolCollection.handOut()
  }

  #guarded(value: z.output<z.ZodObject<A>>): z.output<z.ZodObject<A>> {
    const shape: z.ZodRawShape = this.schema.shape
    return new Proxy(value, {
      set(target, key, next) {
        const field = typeof key === 'string' ? shape[key] : undefined
        if (!field) throw new TypeError(`Unknown argument: ${String(key)}`)
        return Reflect.set(target, key, z.parse(field, next))
      },
    })
  }
}

/** Each unknown one would be named: refused before they are. */
function tooManyArguments(input: unknown): Issue | undefined {
  if (input === null || typeof input !== 'object') return undefined
  if (Object.keys(input).length <= MOST_ARGUMENTS) return undefined
  return { path: '', code: 'too_many', message: `More than ${MOST_ARGUMENTS} arguments` }
}

function issueOf({ path, code, message }: z.core.$ZodIssue): Issue {
  return { path: path.join('.'), code: code ?? 'custom', message }
}

/** One line for each argument: name, type, required or optional, description. Literals and enums appear as their values. */
function schemaMarkdown(schema: JsonSchema): string {
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>
  const required = new Set((schema.required ?? []) as string[])
  const lines = Object.entries(properties).map(([name, property]) => {
    const need = required.has(name) ? 'required' : 'optional'
    const fallback =
      property.default === undefined ? '' : `, default ${JSON.stringify(property.default)}`
    return `- \`${name}\` (${typeOf(property)}, ${need}${fallback}): ${property.description ?? ''}`
  })
  return lines.length > 0 ? lines.join('\n') : 'No arguments.'
}

function typeOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum))
    return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const variants = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (variants) return variants.map(typeOf).join(' | ')
  if (schema.type === 'array') return `${typeOf((schema.items ?? {}) as JsonSchema)}[]`
  if (
    schema.type === 'object' &&
    schema.additionalProperties &&
    typeof schema.additionalProperties === 'object'
  ) {
    return `map of ${typeOf(schema.additionalProperties as JsonSchema)}`
  }
  if (Array.isArray(schema.type)) return schema.type.join(' | ')
  return typeof schema.type === 'string' ? schema.type : 'any value'
}
