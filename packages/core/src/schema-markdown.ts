import type { JsonSchema } from './json-schema.ts'

/** One line for each argument: name, type, required or optional, description. Literals and enums appear as their values. */
export function schemaMarkdown(schema: JsonSchema): string {
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

export function typeOf(schema: JsonSchema): string {
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
