import type { Context, MiddlewareHandler } from 'hono'
import type { HttpVariables } from './authentication.ts'
import { refusal } from './refusal.ts'

/** Pages, chats and agents that listen. */
const MAX_STREAMS_PER_USER = 64
/** An MCP call may be answered by a stream that ends with it: many at once are no harm. */
const MAX_CALLS_PER_USER = 400
/** A call that lasts longer listens, and makes room for others. */
const MAX_CALL_MS = 60_000

interface OpenStream {
  readonly openedAt: number
  end(): void
}

/** Bounds the event streams that a user has open, so that nobody takes the connections of all. */
export function streamLimit(): MiddlewareHandler<HttpVariables> {
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
