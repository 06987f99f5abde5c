import { JsonScan } from '@secretary-mcp/core/json-scan.ts'
import type { Context, MiddlewareHandler } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

const PIECE = 64 * 1024
/** A body longer than this is not even read to its end. */
const MAX_LENGTH = 64 << 20

/** Refuses a body that is too large, or that would keep everybody waiting while it is understood. */
export function boundedBody(largest: number): MiddlewareHandler {
  return async (context, next) => {
    if (['GET', 'HEAD', 'OPTIONS'].includes(context.req.method)) return next()
    return (await tooLarge(context, largest)) ?? (await tooMuch(context)) ?? next()
  }
}

/**
 * What is refused is still read to its end and thrown away: a connection that is closed while its client writes is
 * reset, and the client never sees why it was refused.
 */
async function tooLarge(context: Context, largest: number): Promise<Response | undefined> {
  const { raw } = context.req
  const length = raw.headers.has('transfer-encoding')
    ? undefined
    : Number(raw.headers.get('content-length') ?? 0)
  if (!raw.body || (length !== undefined && length <= largest)) return undefined
  const body = length === undefined ? await read(raw.body, largest) : await read(raw.body, 0)
  if (body) {
    context.req.raw = new Request(raw, { body })
    return undefined
  }
  return refusal(context, 413, 'too_large', `The body is larger than ${largest >> 20} MB`)
}

/** Undefined if there is more than allowed. */
async function read(
  stream: ReadableStream<Uint8Array>,
  most: number,
): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of stream) {
    size += piece.length
    if (size <= most) pieces.push(piece)
    else pieces.length = 0
    if (size > MAX_LENGTH) break
  }
  return size > most ? undefined : Buffer.concat(pieces)
}

async function tooMuch(context: Context): Promise<Response | undefined> {
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

/** Every error of the HTTP side has this one form. */
export function refusal(
  context: Context,
  status: ContentfulStatusCode,
  error: string,
  message: string,
  details?: unknown,
): Response {
  return context.json({ error, message, ...(details === undefined ? {} : { details }) }, status)
}
