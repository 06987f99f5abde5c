import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { JsonScan } from '../../core/json-scan.ts'
import { refusal } from './refusal.ts'

const PIECE = 64 * 1024

/** Refuses a body that is too large, or that would keep everybody waiting while it is understood. */
export function boundedBody(largest: number): MiddlewareHandler {
  const limited = bodyLimit({
    maxSize: largest,
    onError: (context) => {
      // The rest of the body is never read, so the connection cannot be used again.
      context.header('connection', 'close')
      return refusal(context, 413, 'too_large', `The body is larger than ${largest >> 20} MB`)
    },
  })
  return (context, next) =>
    limited(context, async () => {
      const refused = await tooMuch(context)
      if (refused) context.res = refused
      else await next()
    })
}

async function tooMuch(context: Context): Promise<Response | undefined> {
  if (['GET', 'HEAD', 'OPTIONS'].includes(context.req.method)) return undefined
  // Hono keeps what was read for whoever asks next.
  const body = new Uint8Array(await context.req.arrayBuffer())
  if (!isTooMuch(body)) return undefined
  return refusal(
    context,
    413,
    'too_complex',
    'The body has too many elements or is nested too deeply',
  )
}

/** In pieces: what is too much shows early. */
function isTooMuch(body: Uint8Array): boolean {
  const scan = new JsonScan()
  for (let at = 0; at < body.length && !scan.isTooMuch; at += PIECE)
    scan.feed(body.subarray(at, at + PIECE))
  return scan.isTooMuch
}
