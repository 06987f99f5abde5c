import { Hono } from 'hono'
import { compress } from 'hono/compress'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { App } from '../../app.ts'
import { Failure } from '../../core/failure.ts'
import { Authenticator } from '../../identity/authenticator.ts'
import { version } from '../../version.ts'
import { mountRoutes } from '../api/mount-routes.ts'
import { openApiOf } from '../api/openapi.ts'
import { apiRoutes } from '../api/routes.ts'
import type { McpEndpoint } from '../mcp/http.ts'
import { mountPage } from '../page/mount-page.ts'
import { answerHeaders } from './answer-headers.ts'
import { authentication, type HttpVariables } from './authentication.ts'
import { isLoopback } from './loopback.ts'
import { originGuard } from './origin-guard.ts'
import { prometheusText } from './prometheus-text.ts'
import { refusal } from './refusal.ts'

const STATUS: Readonly<Record<string, ContentfulStatusCode>> = {
  validation_error: 400,
  out_of_range: 400,
  forbidden: 403,
  not_found: 404,
  already_completed: 409,
  rate_limited: 429,
  unexpected_error: 500,
}
const METADATA_PATH = '/.well-known/oauth-protected-resource'

/** The whole HTTP side: guards first, then what is open to all, then what needs a user. */
export function createHttpApp(app: App, mcp: McpEndpoint): Hono<HttpVariables> {
  const { config } = app
  const authenticator = new Authenticator(
    app.tokens,
    config.oidcIssuer
      ? { issuer: config.oidcIssuer, audience: config.oidcAudience, jwksUrl: config.oidcJwksUrl }
      : undefined,
  )
  const publicUrl = (requestUrl: string) => config.publicUrl ?? new URL(requestUrl).origin
  const http = new Hono<HttpVariables>()

  http.onError((error, context) => {
    if (error instanceof Failure)
      return refusal(context, STATUS[error.errorType] ?? 503, error.errorType, error.message)
    app.log.error({ err: error }, 'unforeseen error on HTTP')
    return refusal(
      context,
      500,
      'internal_error',
      'Something unforeseen went wrong; the log has more',
    )
  })
  http.notFound((context) => refusal(context, 404, 'not_found', 'There is nothing at this address'))

  http.use(
    originGuard({
      bindHost: config.host,
      allowedHosts: config.allowedHosts,
      allowedOrigins: config.allowedOrigins,
    }),
  )
  http.get('/health', (context) => context.json({ status: 'ok', version }))
  const metadata = (requestUrl: string) => ({
    resource: `${publicUrl(requestUrl)}/mcp`,
    ...(authenticator.issuer ? { authorization_servers: [authenticator.issuer] } : {}),
    bearer_methods_supported: ['header'],
    resource_name: 'Secretary',
  })
  http.get(METADATA_PATH, (context) => context.json(metadata(context.req.url)))
  http.get(`${METADATA_PATH}/mcp`, (context) => context.json(metadata(context.req.url)))
  mountPage(http)

  http.use(answerHeaders)
  // Over loopback it would cost time and save nothing.
  if (!isLoopback(config.host)) http.use('/api/*', compress())
  http.use(
    authentication({
      authenticator,
      required: config.auth === 'on' || !isLoopback(config.host),
      localUser: config.user,
      metadataUrl: (requestUrl) => `${publicUrl(requestUrl)}${METADATA_PATH}/mcp`,
    }),
  )
  http.all('/mcp', (context) => {
    const identity = context.get('identity')
    const user = context.get('user')
    const auth = identity && {
      token: context.get('token') ?? '',
      clientId: user,
      scopes: [],
      expiresAt: identity.expiresAt,
      extra: { user },
    }
    return mcp.fetch(context.req.raw, user, auth)
  })
  const routes = apiRoutes(app)
  mountRoutes(http, app, routes)
  http.get('/api/v1/openapi.json', (context) => context.json(openApiOf(routes)))
  http.get('/metrics', async (context) => context.text(prometheusText(await app.metrics.stats())))
  return http
}
