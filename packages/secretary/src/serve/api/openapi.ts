import { jsonSchemaOf } from '@secretary-mcp/core/json-schema.ts'
import { version } from '../../version.ts'
import type { Route } from './route.ts'

const ERROR = {
  type: 'object',
  properties: { error: { type: 'string' }, message: { type: 'string' }, details: {} },
  required: ['error', 'message'],
}

/** The OpenAPI document of the routes: made from the same definitions that serve them. */
export function openApiOf(routes: readonly Route[]): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operationOf(route) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Secretary', version, license: { name: 'MIT', identifier: 'MIT' } },
    paths,
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    security: [{}, { bearer: [] }],
  }
}

function operationOf({ summary, tag, path, query, body, answers }: Route): Record<string, unknown> {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const schema = query ? jsonSchemaOf(query) : {}
  const required = new Set((schema.required ?? []) as string[])
  const inQuery = Object.entries(
    (schema.properties ?? {}) as Record<string, { description?: string }>,
  ).map(([name, property]) => ({
    name,
    in: 'query',
    required: required.has(name),
    ...(property.description ? { description: property.description } : {}),
    schema: property,
  }))
  const responses = Object.entries(answers).map(([status, answer]) => [
    status,
    {
      description: Number(status) < 400 ? 'Done' : 'Refused',
      ...(answer
        ? { content: { 'application/json': { schema: jsonSchemaOf(answer, 'output') } } }
        : {}),
    },
  ])
  return {
    summary,
    tags: [tag],
    ...(inPath.length + inQuery.length > 0 ? { parameters: [...inPath, ...inQuery] } : {}),
    ...(body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: jsonSchemaOf(body) } },
          },
        }
      : {}),
    responses: {
      ...Object.fromEntries(responses),
      default: {
        description: 'What went wrong',
        content: { 'application/json': { schema: ERROR } },
      },
    },
  }
}
