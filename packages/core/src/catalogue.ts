import type { DecoratedTool } from './ext-mcp-tool-decorator.ts'
import { type JsonSchema, withoutLimits } from './json-schema.ts'
import type { Effect } from './tool.ts'
import { type Profile, ToolArguments } from './tool-arguments.ts'

/** A tool as a client sees it, whatever the surface. */
export interface Listing {
  readonly name: string
  readonly title: string
  readonly family: string
  readonly effect: Effect
  readonly idempotent: boolean
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema
}

export function listingOf({ name, tool }: DecoratedTool, profile: Profile): Listing {
  const schema = tool.arguments.toJsonSchema()
  return {
    name,
    title: tool.title,
    family: tool.family,
    effect: tool.effect,
    idempotent: tool.idempotent,
    description: ToolArguments.buildToolDescription(tool, profile),
    inputSchema: profile === 'compact' ? withoutLimits(schema) : schema,
    outputSchema: tool.outputSchema,
  }
}

/** The form that OpenAI-compatible models take. */
export interface FunctionDefinition {
  readonly type: 'function'
  readonly function: {
    readonly name: string
    readonly description: string
    readonly parameters: JsonSchema
  }
}

export function functionDefinitionOf({
  name,
  description,
  inputSchema,
}: Listing): FunctionDefinition {
  return { type: 'function', function: { name, description, parameters: inputSchema } }
}
