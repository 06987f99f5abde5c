import * as z from 'zod'
import { argumentError } from './argument-errors.ts'
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts'
import type { Issue } from './result.ts'
import { schemaMarkdown } from './schema-markdown.ts'
import type { Tool } from './tool.ts'
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

const declared = new Map<string, Tool>()

/**
 * Base of every argument model. Unknown arguments are refused, and assigning to a parsed value is validated too.
 * It also keeps the collection of declared tools: importing a tool's file declares it.
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
    const key = `${tool.family}/${tool.name}`
    if (declared.has(key)) throw new Error(`Tool declared twice: ${tool.name}`)
    declared.set(key, tool)
    return tool
  }

  /** All declared tools, each handed out once: the collection is empty afterwards. */
  static getDeclaredTools(): Map<string, Tool> {
    const taken = new Map(declared)
    declared.clear()
    return taken
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

function issueOf({ path, code, message }: z.core.$ZodIssue): Issue {
  return { path: path.join('.'), code: code ?? 'custom', message }
}
