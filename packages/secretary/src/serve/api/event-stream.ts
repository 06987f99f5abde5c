import { Failure } from '@secretary-mcp/core/failure.ts'
import type { Log } from '@secretary-mcp/core/log.ts'

export type SendEvent = (event: string, data: unknown) => void

const HEARTBEAT_MS = 20_000
const UNEXPECTED = {
  error: 'internal_error',
  message: 'Something went wrong; see the log',
}

/**
 * A response of server-sent events that lives as long as the work does. The work is told when the reader has left: it may go on,
 * so that what was begun is also kept.
 */
export function eventStream(
  work: (send: SendEvent, left: AbortSignal) => Promise<void>,
  log: Log,
  signal: AbortSignal,
): Response {
  const encoder = new TextEncoder()
  const reader = new AbortController()
  const left = AbortSignal.any([signal, reader.signal])
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string) => {
        if (!left.aborted) controller.enqueue(encoder.encode(text))
      }
      const send: SendEvent = (event, data) =>
        write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
      // Proxies end a silent connection, and the page takes one for broken.
      const heartbeat = setInterval(() => write(': still here\n\n'), HEARTBEAT_MS).unref()
      work(send, left)
        .catch((error: unknown) => {
          const isKnown = error instanceof Failure
          // A person who stops an answer is nothing that went wrong.
          if (!isKnown && !left.aborted) log.error({ err: error }, 'unexpected error in a stream')
          send('error', isKnown ? { error: error.errorType, message: error.message } : UNEXPECTED)
        })
        .finally(() => {
          clearInterval(heartbeat)
          if (!reader.signal.aborted) controller.close()
        })
    },
    cancel: () => reader.abort(),
  })
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
  })
}
