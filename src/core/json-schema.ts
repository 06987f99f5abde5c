import * as z from 'zod'

export type JsonSchema = { readonly [key: string]: unknown }

/** The JSON schema of what a caller sends, without the parts that cost tokens and say nothing. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output' = 'input'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return prune(rest) as JsonSchema
}

function prune(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(prune)
  if (node === null || typeof node !== 'object') return node
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => !isSafeIntegerBound(key, value))
      .map(([key, value]) => [key, prune(value)]),
  )
}

/** zod writes the limits of a safe integer into every integer. */
function isSafeIntegerBound(key: string, value: unknown): boolean {
  return (
    (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) ||
    (key === 'minimum' && value === Number.MIN_SAFE_INTEGER)
  )
}
