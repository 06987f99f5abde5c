import { argumentError } from '@secretary-mcp/core/argument-errors.ts'
import { jsonSchemaOf } from '@secretary-mcp/core/json-schema.ts'
import { PAGE_CLIENT } from '@secretary-mcp/core/tool.ts'
import type { Context, Hono } from 'hono'
import type * as z from 'zod'
import type { App } from '../../app/app.ts'
import { version } from '../../version.ts'
import type { HttpVariables } from '../http/authentication.ts'
import { boundedBody, refusal } from '../http/bounded-body.ts'
import type { Route, RouteAnswer } from './route.ts'

const ERROR = {
  type: 'object',
  properties: { error: { type: 'string' }, message: { type: 'string' }, details: {} },
  required: ['error', 'message'],
}

const MAX_BODY_SIZE = 1024 * 1024

/** Serves routes: reads and checks what was sent, runs the route, writes what it answers. */
export function mountRoutes(http: Hono<HttpVariables>, app: App, routes: readonly Route[]): void {
  const limited = boundedBody(MAX_BODY_SIZE)
  for (const route of routes) {
    http.on(route.method.toUpperCase(), pathOf(route), limited, (context) =>
      serve(route, app, context),
    )
  }
  for (const path of new Set(routes.map(pathOf))) {
    const methods = routes
      .filter((route) => pathOf(route) === path)
      .map(({ method }) => method.toUpperCase())
    http.all(path, (context) => {
      context.header('allow', methods.join(', '))
      return refusal(
        context,
        405,
        'method_not_allowed',
        `This address accepts ${methods.join(' and ')}`,
      )
    })
  }
}

function pathOf({ path }: Route): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

async function serve(route: Route, app: App, context: Context<HttpVariables>): Promise<Response> {
  const query = check(route.query, context.req.query())
  if (!query.ok) return refuseInput(context, query.issues)
  const sent = route.body ? await readJson(context) : { ok: true as const, value: undefined }
  if (!sent.ok) return refusal(context, 400, 'invalid_request', 'The body must be JSON')
  const body = check(route.body, sent.value)
  if (!body.ok) return refuseInput(context, body.issues)
  const user = context.get('user')
  const request = {
    user,
    caller: {
      ...app.localCaller,
      user,
      role: context.get('role'),
      client: context.req.header('x-secretary-client') === PAGE_CLIENT ? PAGE_CLIENT : undefined,
    },
    params: context.req.param(),
    query: query.value,
    body: body.value,
    signal: context.req.raw.signal,
    headers: context.req.raw.headers,
  }
  // A stream is handed over at once, so it holds no place for as long as it is open.
  const answer = await app.boundary.takeTurn(user, () => route.handle(request))
  if (!(answer instanceof Response)) return write(answer)
  // Nobody would ever read the body, so nothing may go on filling it.
  if (context.req.raw.method === 'HEAD') await answer.body?.cancel()
  return answer
}

function write({ status, body, headers }: RouteAnswer): Response {
  if (body === undefined) return new Response(null, { status, headers })
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

type Checked =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly z.core.$ZodIssue[] }

function check(schema: z.ZodType | undefined, value: unknown): Checked {
  if (!schema) return { ok: true, value: undefined }
  const parsed = schema.safeParse(value, { error: argumentError })
  return parsed.success
    ? { ok: true, value: parsed.data }
    : { ok: false, issues: parsed.error.issues }
}

function refuseInput(context: Context, issues: readonly z.core.$ZodIssue[]): Response {
  const details = issues.map(({ path, message }) => ({ path: path.join('.'), message }))
  return refusal(
    context,
    400,
    'invalid_request',
    details[0]?.message ?? 'The request is not valid',
    details,
  )
}

async function readJson(context: Context): Promise<{ ok: true; value: unknown } | { ok: false }> {
  try {
    return { ok: true, value: await context.req.json() }
  } catch {
    return { ok: false }
  }
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
