import { Hono } from 'hono'
import { compress } from 'hono/compress'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { App } from '../app/app.ts'
import { Failure } from '@secretary-mcp/core/failure.ts'
import { isLoopback } from '@secretary-mcp/core/loopback.ts'
import type { Authenticator } from '../identity/authenticator.ts'
import type { BrowserSessions } from '../identity/browser-sessions.ts'
import type { OwnerToken } from '../identity/owner-token.ts'
import { version } from '../version.ts'
import { mountRoutes } from './api/mount-routes.ts'
import { openApiOf } from './api/openapi.ts'
import { apiRoutes } from './api/routes.ts'
import type { Setup } from './api/setup-port.ts'
import type { McpEndpoint } from './mcp/http.ts'
import { mountPage } from './page/mount-page.ts'
import { answerHeaders } from './http/answer-headers.ts'
import { authentication, type HttpVariables } from './http/authentication.ts'
import { boundedBody } from './http/bounded-body.ts'
import type { ConnectionGuard } from './http/connection-guard.ts'
import { endWithToken } from './http/end-with-token.ts'
import { originGuard } from './http/origin-guard.ts'
import { prometheusText } from './http/prometheus-text.ts'
import { refusal } from './http/refusal.ts'
import { clearSessionCookie, sessionCookie } from './http/session-cookie.ts'
import { mountSignIn } from './http/sign-in.ts'
import { streamLimit } from './http/stream-limit.ts'
import { tracedRequests } from './http/traced-requests.ts'

const STATUS: Readonly<Record<string, ContentfulStatusCode>> = {
  validation_error: 400,
  out_of_range: 400,
  invalid_name: 400,
  invalid_pattern: 400,
  invalid_regex: 400,
  too_many: 400,
  forbidden: 403,
  read_only: 403,
  not_found: 404,
  no_project: 409,
  already_completed: 409,
  already_exists: 409,
  changed_meanwhile: 409,
  last_operator: 409,
  too_large: 413,
  rate_limited: 429,
  too_many_streams: 429,
  unexpected_error: 500,
}
const LONGEST_NONCE = 100
/** Large enough that a 5 MB argument gets the tool's own answer, not a protocol's. */
const LARGEST_MESSAGE = 16 * 1024 * 1024
const METADATA_PATH = '/.well-known/oauth-protected-resource'

export interface HttpOptions {
  readonly authenticator: Authenticator
  readonly sessions: BrowserSessions
  readonly connections?: ConnectionGuard
  readonly owner?: OwnerToken
  readonly setup?: Setup
  /** The server is about to end: it takes what comes, but nothing more should be sent to it. */
  readonly isDraining?: () => boolean
}

/** The whole HTTP side: guards first, then what is open to all, then what needs a user. */
export function createHttpApp(
  app: App,
  mcp: McpEndpoint,
  { authenticator, sessions, connections, owner, setup, isDraining = () => false }: HttpOptions,
): Hono<HttpVariables> {
  const { config } = app
  const publicUrl = (requestUrl: string) => config.publicUrl ?? new URL(requestUrl).origin
  const http = new Hono<HttpVariables>()

  http.onError((error, context) => {
    if (error instanceof Failure)
      return refusal(
        context,
        STATUS[error.errorType] ?? 503,
        error.errorType,
        error.message,
        error.data,
      )
    // Whoever asked has gone in the middle of it: nothing went wrong here.
    if (context.req.raw.signal.aborted)
      return refusal(context, 400, 'aborted', 'The request ended early')
    app.log.error({ err: error }, 'unexpected error on HTTP')
    return refusal(context, 500, 'internal_error', 'Something went wrong; see the log')
  })
  http.notFound((context) => refusal(context, 404, 'not_found', 'There is nothing at this address'))

  http.use(tracedRequests(app.tracing))
  http.use(
    originGuard({
      bindHost: config.host,
      allowedHosts: config.allowedHosts,
      allowedOrigins: config.allowedOrigins,
    }),
  )
  http.get('/health', (context) => {
    const nonce = context.req.query('nonce')?.slice(0, LONGEST_NONCE)
    const { localAddress: address, localPort: port } = context.env?.incoming?.socket ?? {}
    const proof = nonce && owner ? { proof: owner.proof(nonce, { address, port }) } : {}
    return context.json({ status: 'ok', version, ...proof })
  })
  http.get('/health/live', (context) => context.json({ status: 'ok', version }))
  http.get('/health/ready', async (context) => {
    const reason = isDraining() ? 'The server is about to end' : await app.whyNotReady()
    const { replica } = config
    return reason === undefined
      ? context.json({ status: 'ok', replica })
      : context.json({ status: 'not_ready', replica, reason }, 503)
  })
  const metadata = (requestUrl: string) => ({
    resource: `${publicUrl(requestUrl)}/mcp`,
    ...(authenticator.issuer ? { authorization_servers: [authenticator.issuer] } : {}),
    bearer_methods_supported: ['header'],
    resource_name: 'Secretary',
  })
  http.get(METADATA_PATH, (context) => context.json(metadata(context.req.url)))
  http.get(`${METADATA_PATH}/mcp`, (context) => context.json(metadata(context.req.url)))
  mountSignIn(http, sessions, config.publicUrl?.startsWith('https:') ?? false)
  mountPage(http, config)

  http.use(answerHeaders)
  // Over loopback it would cost time and save nothing.
  if (!isLoopback(config.host)) http.use('/api/*', compress())
  http.use(
    authentication({
      authenticator,
      sessions,
      connections,
      required: config.auth === 'on',
      localUser: config.user,
      metadataUrl: (requestUrl) => `${publicUrl(requestUrl)}${METADATA_PATH}/mcp`,
    }),
  )
  http.use(streamLimit())
  http.use(endWithToken)
  http.post('/api/v1/sign-in-codes', async (context) => {
    const token = context.get('token')
    const made = token === undefined ? undefined : await sessions.createCode(token)
    if (made) return context.json(made, 201)
    return refusal(context, 403, 'forbidden', 'Send the token itself to get a sign-in code')
  })
  http.delete('/api/v1/session', async (context) => {
    const session = context.get('token') === undefined ? sessionCookie(context) : undefined
    if (session !== undefined) await sessions.end(session)
    clearSessionCookie(context)
    return context.body(null, 204)
  })
  http.use('/mcp', boundedBody(LARGEST_MESSAGE))
  http.all('/mcp', async (context) => {
    const user = context.get('user')
    const { raw } = context.req
    const request = raw.body ? new Request(raw, { body: await context.req.arrayBuffer() }) : raw
    return mcp.fetch(request, {
      token: context.get('token') ?? '',
      clientId: user,
      scopes: [],
      expiresAt: context.get('identity')?.expiresAt,
      extra: { user, role: context.get('role') },
    })
  })
  const routes = apiRoutes(app, setup)
  mountRoutes(http, app, routes)
  http.get('/api/v1/openapi.json', (context) => context.json(openApiOf(routes)))
  http.get('/metrics', async (context) => {
    const seen = app.metrics.seenBy({ user: context.get('user'), role: context.get('role') })
    if (app.database.engine === 'sqlite')
      return context.text(prometheusText([{ stats: await seen.stats() }]))
    // Each server is asked on its own, so that a sum over all of them counts nothing twice.
    const wanted = context.req.query('replica') ?? config.replica
    const replicas = wanted === 'all' ? await seen.replicas() : [wanted]
    const counted = await Promise.all(
      replicas.map(async (replica) => ({ replica, stats: await seen.stats('', replica) })),
    )
    return context.text(prometheusText(counted))
  })
  return http
}
