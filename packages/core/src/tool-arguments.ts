import * as z from 'zod'
import { argumentError } from './argument-errors.ts'
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts'
import type { Issue } from './result.ts'
import type { Tool } from './tool.ts'

interface WholeCheck {
  /** A rule over all arguments together, such as "at least one field". */
  readonly check: (value: Readonly<Record<string, unknown>>) => boolean
  readonly message: string
  /** How the JSON schema says the same. */
  readonly jsonSchema?: JsonSchema
}

type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly Issue[] }

const MAX_ARGUMENTS = 200

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
  if (Object.keys(input).length <= MAX_ARGUMENTS) return undefined
  return { path: '', code: 'too_many', message: `More than ${MAX_ARGUMENTS} arguments` }
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

/** `full` is what the documentation standard asks for; `compact` is one short text, for clients that pay by the token. */
export type Profile = 'full' | 'compact'

function describeTool(tool: Tool, profile: Profile): string {
  if (profile === 'compact') return tool.description
  return [
    `## Description\n${fullText(tool)}`,
    `## JSON Schema\n\`\`\`json\n${JSON.stringify(tool.arguments.toJsonSchema())}\n\`\`\``,
    `## Usage Instructions\n\`\`\`\n${tool.usage ?? usageOf(tool)}\n\`\`\``,
    `## Concrete Examples\n\`\`\`\n${tool.examples.map((example) => exampleOf(tool, example.args, example.shows)).join('\n')}\n\`\`\``,
  ].join('\n')
}

function fullText({ description, about }: Tool): string {
  return about === undefined ? description : `${description.split('\n')[0]}\n${about}`
}

function usageOf(tool: Tool): string {
  const schema = tool.arguments.toJsonSchema()
  const required = new Set((schema.required ?? []) as string[])
  const names = Object.keys((schema.properties ?? {}) as object)
  return `${tool.name}(${names.map((name) => (required.has(name) ? name : `${name}?`)).join(', ')})`
}

function exampleOf(tool: Tool, args: Readonly<Record<string, unknown>>, shows: string): string {
  return `${tool.name}(${JSON.stringify(args)})  # ${shows}`
}

/** Importing a tool's file declares it here. A file is imported once in a process, however many apps it has. */
class ToolCollection {
  readonly #entries = new Map<string, { readonly tool: Tool; isHandedOut: boolean }>()

  declare(tool: Tool): void {
    const key = `${tool.family}/${tool.name}`
    if (this.#entries.get(key)?.isHandedOut === false)
      throw new Error(`Tool declared twice: ${tool.name}`)
    this.#entries.set(key, { tool, isHandedOut: false })
  }

  /** Those that nobody has had yet. */
  handOut(): Map<string, Tool> {
    const fresh = [...this.#entries].filter(([, { isHandedOut }]) => !isHandedOut)
    for (const [, entry] of fresh) entry.isHandedOut = true
    return new Map(fresh.map(([key, { tool }]) => [key, tool]))
  }

  /** Handed out or not, by name: in which order files load is the bundler's affair, and clients keep the list. */
  ofFamily(family: string): Tool[] {
    return [...this.#entries.values()]
      .map(({ tool }) => tool)
      .filter((tool) => tool.family === family)
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  }
}

export const toolCollection = new ToolCollection()
