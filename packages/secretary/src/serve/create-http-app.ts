import type { ToolStats } from '@secretary-mcp/core/calls.ts'
import { hostNameOf, isLoopback } from '@secretary-mcp/core/config/config.ts'
import { Failure, kindOf } from '@secretary-mcp/core/failure.ts'
import type { Tracing } from '@secretary-mcp/core/tracing.ts'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { compress } from 'hono/compress'
import { matchedRoutes } from 'hono/route'
import type { App } from '../app/app.ts'
import type { Authenticator } from '../identity/authenticator.ts'
import type { BrowserSessions } from '../identity/browser-sessions.ts'
import type { OwnerToken } from '../identity/owner-token.ts'
import { version } from '../version.ts'
import { mountRoutes, openApiOf } from './api/mount-routes.ts'
import { apiRoutes } from './api/routes.ts'
import type { Setup } from './api/setup-routes.ts'
import {
  authentication,
  clearSessionCookie,
  type HttpVariables,
  sessionCookie,
} from './http/authentication.ts'
import { boundedBody, refusal } from './http/bounded-body.ts'
import type { ConnectionGuard } from './http/connection-guard.ts'
import { mountSignIn } from './http/sign-in.ts'
import type { McpEndpoint } from './mcp/http.ts'
import { mountPage } from './page/mount-page.ts'

/** Pages, chats and agents that listen. */
const MAX_STREAMS_PER_USER = 64
/** An MCP call may be answered by a stream that ends with it: many at once are no harm. */
const MAX_CALLS_PER_USER = 400
/** A call that lasts longer listens, and makes room for others. */
const MAX_CALL_MS = 60_000

const QUANTILES = [
  ['0.5', 'p50Ms'],
  ['0.95', 'p95Ms'],
  ['0.99', 'p99Ms'],
] as const

const LOOK_EVERY_MS = 2_000

const MAX_NONCE = 100
/** Large enough that a 5 MB argument gets the tool's own answer, not a protocol's. */
const MAX_MESSAGE_SIZE = 16 * 1024 * 1024
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
    if (error instanceof Failure) {
      const { status, isTransient } = kindOf(error.errorType)
      if (isTransient) context.header('Retry-After', '1')
      return refusal(context, status, error.errorType, error.message, error.data)
    }
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
    const nonce = context.req.query('nonce')?.slice(0, MAX_NONCE)
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
  http.use('/mcp', boundedBody(MAX_MESSAGE_SIZE))
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
    const seen = app.calls.seenBy({ user: context.get('user'), role: context.get('role') })
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

/** Answers are one person's data of this moment: nobody keeps a copy, and no browser takes them for anything but what they are. */
const answerHeaders: MiddlewareHandler = async (context, next) => {
  await next()
  const { headers } = context.res
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
  headers.set('x-content-type-options', 'nosniff')
}

/** By route, never by address: an address names files and ids. */
function tracedRequests(tracing: Tracing): MiddlewareHandler {
  return (context, next) => {
    const route = matchedRoutes(context).findLast(({ path }) => !path.includes('*'))?.path
    const { method } = context.req
    const work = {
      name: route ? `${method} ${route}` : method,
      measure: 'http.server.request.duration',
      attributes: { 'http.request.method': method, 'http.route': route },
      parent: context.req.header('traceparent'),
    } as const
    return tracing.during(work, async (span) => {
      await next()
      const { status } = context.res
      span.set({
        'http.response.status_code': status,
        'error.type': status >= 500 ? String(status) : undefined,
      })
    })
  }
}

interface GuardConfig {
  readonly bindHost: string
  readonly allowedHosts: readonly string[]
  readonly allowedOrigins: readonly string[]
}

/** Keeps a web page from reaching a server on this machine through the browser of the person who looks at it. */
function originGuard({ bindHost, allowedHosts, allowedOrigins }: GuardConfig): MiddlewareHandler {
  const anyHost = !isLoopback(bindHost) && allowedHosts.length === 0
  const hostAllowed = (name: string) =>
    anyHost || isLoopback(name) || name === bindHost || allowedHosts.includes(name)
  return async (context, next) => {
    const hostHeader = context.req.header('host') ?? ''
    const host = hostNameOf(hostHeader)
    if (!host || !hostAllowed(host))
      return refusal(
        context,
        403,
        'forbidden',
        'Host not allowed; add it to SECRETARY_ALLOWED_HOSTS',
      )
    const origin = context.req.header('origin')
    if (origin !== undefined && !originAllowed(origin, hostHeader, allowedOrigins)) {
      return refusal(
        context,
        403,
        'forbidden',
        'Origin not allowed; add it to SECRETARY_ALLOWED_ORIGINS',
      )
    }
    return next()
  }
}

function originAllowed(origin: string, hostHeader: string, allowed: readonly string[]): boolean {
  if (allowed.includes(origin)) return true
  try {
    return new URL(origin).host === hostHeader
  } catch {
    return false
  }
}

/** A stream that stays open ends when the token that opened it is revoked or expires. */
const endWithToken: MiddlewareHandler<HttpVariables> = async (context, next) => {
  await next()
  const stillValid = context.get('stillValid')
  const { res } = context
  if (!stillValid || !res.body || !res.headers.get('content-type')?.startsWith('text/event-stream'))
    return
  context.res = new Response(endingWhen(res.body, stillValid), res)
}

function endingWhen(
  body: ReadableStream<Uint8Array>,
  stillValid: () => Promise<boolean>,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let timer: NodeJS.Timeout | undefined
  const stop = () => clearInterval(timer)
  return new ReadableStream({
    start(controller) {
      const look = async () => {
        // A database that is away for a moment says nothing about the token.
        if (await stillValid().catch(() => true)) return
        stop()
        await reader.cancel().catch(() => {})
        try {
          controller.close()
        } catch {
          // It ended by itself meanwhile.
        }
      }
      timer = setInterval(() => void look(), LOOK_EVERY_MS).unref()
    },
    async pull(controller) {
      const { done, value } = await reader.read()
      if (!done) return controller.enqueue(value)
      stop()
      try {
        controller.close()
      } catch {
        // Ended with the token already.
      }
    },
    async cancel(reason) {
      stop()
      await reader.cancel(reason)
    },
  })
}

/** What one server has counted; without a name where there is only one. */
interface Counted {
  readonly replica?: string
  readonly stats: readonly ToolStats[]
}

/** The text form that Prometheus and its kin read. */
function prometheusText(counted: readonly Counted[]): string {
  const rows = counted.flatMap(({ replica, stats }) => {
    const by = replica === undefined ? '' : `replica=${JSON.stringify(replica)},`
    return stats.map((row) => ({ ...row, labels: `${by}tool="${row.tool}"` }))
  })
  return [
    '# HELP secretary_tool_calls_total Calls by tool and outcome.',
    '# TYPE secretary_tool_calls_total counter',
    ...rows.flatMap((row) =>
      outcomes(row).map(
        ([outcome, count]) =>
          `secretary_tool_calls_total{${row.labels},outcome="${outcome}"} ${count}`,
      ),
    ),
    '# HELP secretary_tool_overruns_total Calls that took longer than their maximum.',
    '# TYPE secretary_tool_overruns_total counter',
    ...rows.map(({ labels, overruns }) => `secretary_tool_overruns_total{${labels}} ${overruns}`),
    '# HELP secretary_tool_duration_ms Duration of calls.',
    '# TYPE secretary_tool_duration_ms summary',
    ...rows.flatMap((row) =>
      QUANTILES.flatMap(([quantile, key]) => {
        const ms = row[key]
        if (ms === undefined) return []
        return `secretary_tool_duration_ms{${row.labels},quantile="${quantile}"} ${ms.toFixed(3)}`
      }),
    ),
    '',
  ].join('\n')
}

function outcomes({ calls, errors, rateLimitHits }: ToolStats): [string, number][] {
  const failed = Object.values(errors).reduce((sum, count) => sum + count, 0)
  return [
    ['ok', calls - failed - rateLimitHits],
    ...Object.entries(errors),
    ...(rateLimitHits > 0 ? [['rate_limited', rateLimitHits] as [string, number]] : []),
  ]
}

interface OpenStream {
  readonly openedAt: number
  end(): void
}

/** Bounds the event streams that a user has open, so that nobody takes the connections of all. */
function streamLimit(): MiddlewareHandler<HttpVariables> {
  const open = new Map<string, Set<OpenStream>>()
  return async (context, next) => {
    const user = context.get('user')
    const isCall = context.req.path === '/mcp' && context.req.method === 'POST'
    const most = isCall ? MAX_CALLS_PER_USER : MAX_STREAMS_PER_USER
    const isFull = () => (open.get(user)?.size ?? 0) >= most
    // What has an effect must not begin if its answer cannot be sent.
    if (!isCall && context.req.header('accept')?.includes('text/event-stream') && isFull())
      return tooMany(context)
    await next()
    const { res } = context
    if (!res.body || !res.headers.get('content-type')?.startsWith('text/event-stream')) return
    if (isFull()) {
      await res.body.cancel().catch(() => {})
      context.res = tooMany(context)
      return
    }
    const streams = open.get(user) ?? new Set()
    open.set(user, streams)
    if (streams.size >= MAX_STREAMS_PER_USER) endOldest(streams)
    context.res = new Response(counted(res.body, streams), res)
  }
}

function endOldest(streams: ReadonlySet<OpenStream>): void {
  const [oldest] = streams
  if (oldest && Date.now() - oldest.openedAt > MAX_CALL_MS) oldest.end()
}

function counted(
  body: ReadableStream<Uint8Array>,
  streams: Set<OpenStream>,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let isOver = false
  let close = () => {}
  const stream: OpenStream = {
    openedAt: Date.now(),
    end() {
      leave()
      void reader.cancel().catch(() => {})
      close()
    },
  }
  const leave = () => {
    isOver = true
    streams.delete(stream)
  }
  streams.add(stream)
  return new ReadableStream({
    start(controller) {
      close = () => controller.close()
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (isOver) return
        if (!done) return controller.enqueue(value)
        leave()
        controller.close()
      } catch (error) {
        if (isOver) return
        leave()
        controller.error(error)
      }
    },
    async cancel(reason) {
      leave()
      await reader.cancel(reason)
    },
  })
}

function tooMany(context: Context): Response {
  return refusal(
    context,
    429,
    'too_many_streams',
    `At most ${MAX_STREAMS_PER_USER} streams of a user are open at a time; close some pages or clients`,
  )
}
