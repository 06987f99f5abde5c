import type * as z from 'zod'
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts'
import type { Result } from './result.ts'
import {
  type DeclaredTool,
  type Prefixes,
  prefixedName,
  type Services,
  type Shape,
  type Tool,
  type ToolCall,
  type ToolSpec,
} from './tool.ts'
import { ToolArguments } from './tool-arguments.ts'

interface FamilySpec {
  readonly name: string
  readonly prefix?: string
  /** The family's JSON shape: nothing else in the code knows about it. */
  readonly envelope: (result: Result, tool: Tool) => Shape
  /** The JSON schema of a success's shaped body, from the schema of its value. */
  readonly outputSchema: (value: JsonSchema) => JsonSchema
}

/** A set of tools over one service, with one JSON shape. */
export class Family<S> {
  readonly name: string
  readonly #spec: FamilySpec

  constructor(spec: FamilySpec) {
    this.name = spec.name
    this.#spec = spec
  }

  /** The name under which clients know one of the family's tools. */
  finalName(name: string, prefixes: Prefixes): string {
    return prefixedName({ name, family: this.name, prefix: this.#spec.prefix }, prefixes)
  }

  /** The family's entry in an app's services: the one place where its type is known. */
  serving(service: S): [family: string, service: unknown] {
    return [this.name, service]
  }

  #serviceOf(services: Services): S {
    if (!services.has(this.name)) throw new Error(`The family ${this.name} has no service`)
    return services.get(this.name) as S
  }

  /** Declares a tool of this family: the spec becomes plain data and one function. */
  tool<const N extends string, A extends z.ZodRawShape, R>(
    spec: ToolSpec<S, N, A, R>,
  ): DeclaredTool<N, A, R> {
    const lazySchema = once(() => this.#spec.outputSchema(jsonSchemaOf(spec.result, 'output')))
    const tool: DeclaredTool<N, A, R> = {
      name: spec.name,
      family: this.name,
      prefix: spec.prefix ?? this.#spec.prefix,
      title: spec.title,
      effect: spec.effect,
      idempotent: spec.idempotent ?? spec.effect === 'read',
      isOperators: spec.isOperators ?? false,
      description: spec.description,
      about: spec.about,
      usage: spec.usage,
      examples: spec.examples,
      arguments: spec.arguments,
      get outputSchema() {
        return lazySchema()
      },
      result: spec.result,
      limitPerMinute: spec.limitPerMinute,
      maximumMs:
        spec.maximumMs && ((args) => spec.maximumMs?.(args as z.output<z.ZodObject<A>>) ?? 0),
      run: (args, call) =>
        spec.run(
          args as z.output<z.ZodObject<A>>,
          withService(call, this.#serviceOf(call.service)),
        ),
      shape: (result) => this.#spec.envelope(result, tool),
    }
    return ToolArguments.declare(tool)
  }
}

function withService<S>(call: ToolCall<Services>, service: S): ToolCall<S> {
  return { ...call, service }
}

function once<T>(make: () => T): () => T {
  let value: T | undefined
  return () => {
    value ??= make()
    return value
  }
}
