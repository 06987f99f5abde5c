import { Failure } from '../../core/failure.ts'
import type { Log } from '../../core/log.ts'

export type SendEvent = (event: string, data: unknown) => void

/** A response of server-sent events that lives as long as the work does. */
export function eventStream(
  work: (send: SendEvent) => Promise<void>,
  log: Log,
  signal: AbortSignal,
): Response {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const send: SendEvent = (event, data) => {
        try {
          controller.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
        } catch {
          // The reader left; the work goes on, so that what was begun is also kept.
        }
      }
      try {
        await work(send)
      } catch (error) {
        // A person who stops an answer is nothing that went wrong.
        if (!(error instanceof Failure || signal.aborted))
          log.error({ err: error }, 'unforeseen error in a stream')
        const known =
          error instanceof Failure
            ? { error: error.errorType, message: error.message }
            : {
                error: 'internal_error',
                message: 'Something unforeseen went wrong; the log has more',
              }
        send('error', known)
      }
      try {
        controller.close()
      } catch {
        // Closed by the reader already.
      }
    },
  })
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
  })
}
