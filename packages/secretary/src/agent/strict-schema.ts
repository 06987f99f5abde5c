import type { JsonSchema } from '@secretary-mcp/core/json-schema.ts'

export interface StrictSchema {
  readonly schema: JsonSchema
  /** The arguments as the tool wants them: what the model had to fill in with null is absent again. */
  restore(args: unknown): unknown
}

/** Strict mode has no word for these; the tool checks them itself when it is called. */
const LEFT_TO_THE_TOOL = new Set([
  'default',
  'examples',
  'title',
  'minLength',
  'maxLength',
  'uniqueItems',
])
const KEPT = new Set([
  'description',
  'pattern',
  'multipleOf',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minItems',
  'maxItems',
])
const SCALARS = new Set(['string', 'number', 'integer', 'boolean', 'null'])

/**
 * The form that OpenAI's strict mode takes: every property required, an optional one nullable, nothing besides.
 * Undefined where a schema says what strict mode cannot: maps, alternatives of objects, a null that means something.
 */
export function strictSchemaOf(schema: JsonSchema): StrictSchema | undefined {
  const strict = schema.type === 'object' ? strictly(schema) : undefined
  return strict && { schema: strict, restore: (args) => withoutFilling(args, schema) }
}

function strictly(schema: JsonSchema): JsonSchema | undefined {
  const {
    type,
    properties,
    required,
    additionalProperties,
    items,
    anyOf,
    enum: values,
    const: only,
    ...rest
  } = schema
  const plain = Object.entries(rest).filter(([key]) => !LEFT_TO_THE_TOOL.has(key))
  if (plain.some(([key]) => !KEPT.has(key))) return undefined
  const about = Object.fromEntries(plain)
  if (type === 'object') return withAll(about, strictObject(schema))
  if (type === 'array')
    return withAll(about, nested('items', isSchema(items) ? strictly(items) : undefined, { type }))
  if (Array.isArray(anyOf)) return withAll(about, alternatives(anyOf.filter(isSchema)))
  if (only !== undefined) return { ...about, ...(type ? { type } : {}), enum: [only] }
  if (![type].flat().every((one) => SCALARS.has(String(one)))) return undefined
  return { ...about, type, ...(values ? { enum: values } : {}) }
}

function strictObject({
  properties,
  required,
  additionalProperties,
}: JsonSchema): JsonSchema | undefined {
  if (additionalProperties !== undefined && additionalProperties !== false) return undefined
  const needed = listOf(required)
  const entries = propertiesOf(properties).map(
    ([name, schema]): [string, JsonSchema | undefined] => {
      const strict = strictly(schema)
      return [name, strict && !needed.includes(name) ? nullable(strict) : strict]
    },
  )
  if (entries.some(([, schema]) => schema === undefined)) return undefined
  const names = entries.map(([name]) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(entries),
    required: names,
    additionalProperties: false,
  }
}

/** Undefined where null is already something else than an absent value. */
function nullable(schema: JsonSchema): JsonSchema | undefined {
  if (takesNull(schema)) return undefined
  if (Array.isArray(schema.anyOf)) return { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] }
  const values = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {}
  return { ...schema, type: [...[schema.type].flat(), 'null'], ...values }
}

function takesNull({ type, anyOf, enum: values }: JsonSchema): boolean {
  const alternative = listOf(anyOf).some((one) => isSchema(one) && takesNull(one))
  return alternative || [type].flat().includes('null') || listOf(values).includes(null)
}

/** Objects among alternatives could not be told apart when the nulls are taken out again. */
function alternatives(schemas: readonly JsonSchema[]): JsonSchema | undefined {
  const strict = schemas.map((schema) => (holdsObject(schema) ? undefined : strictly(schema)))
  return strict.includes(undefined) ? undefined : { anyOf: strict }
}

function holdsObject({ type, items }: JsonSchema): boolean {
  return [type].flat().includes('object') || (isSchema(items) && holdsObject(items))
}

function withoutFilling(value: unknown, schema: JsonSchema): unknown {
  if (Array.isArray(value)) {
    const { items } = schema
    return isSchema(items) ? value.map((one) => withoutFilling(one, items)) : value
  }
  if (!isSchema(value) || schema.type !== 'object') return value
  const known = new Map(propertiesOf(schema.properties))
  const needed = listOf(schema.required)
  const given = Object.entries(value).filter(
    ([name, one]) => one !== null || needed.includes(name) || !known.has(name),
  )
  return Object.fromEntries(
    given.map(([name, one]) => [name, withoutFilling(one, known.get(name) ?? {})]),
  )
}

function withAll(about: JsonSchema, schema: JsonSchema | undefined): JsonSchema | undefined {
  return schema && { ...about, ...schema }
}

function nested(
  key: string,
  inner: JsonSchema | undefined,
  outer: JsonSchema,
): JsonSchema | undefined {
  return inner && { ...outer, [key]: inner }
}

function propertiesOf(properties: unknown): [string, JsonSchema][] {
  return isSchema(properties) ? (Object.entries(properties) as [string, JsonSchema][]) : []
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function isSchema(value: unknown): value is JsonSchema {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
