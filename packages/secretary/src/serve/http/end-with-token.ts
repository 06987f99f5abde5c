import type { MiddlewareHandler } from 'hono'
import type { HttpVariables } from './authentication.ts'

const LOOK_EVERY_MS = 2_000

/** A stream that stays open ends when the token that opened it is revoked or expires. */
export const endWithToken: MiddlewareHandler<HttpVariables> = async (context, next) => {
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
