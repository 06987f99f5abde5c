import type { Address, AnswerOf, GivenFor, Sent } from './api-types.ts'
import { below, searchOf } from './base.ts'
import { bearerToken, signInNeeded } from './token.ts'

/** What the server said no to, in its own words. */
export class ApiError extends Error {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  /** Of a tool's failure, such as not_found. */
  readonly kind?: string

  constructor(
    status: number,
    message: string,
    body: Readonly<Record<string, unknown>> = {},
    kind?: string,
  ) {
    super(message)
    this.status = status
    this.body = body
    this.kind = kind
  }

  /** Given where a limit was reached: how long until it is worth another try. */
  get retryAfterMs(): number | undefined {
    const seconds = Number(this.body.retryAfterSeconds)
    return Number.isFinite(seconds) ? seconds * 1000 : undefined
  }
}

interface Request extends Sent {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/** Calls an address of the server; its types are those of the server's own routes. */
export async function call<K extends Address>(
  address: K,
  ...[given]: GivenFor<K>
): Promise<AnswerOf<K>> {
  const response = await send(address, given ?? {})
  return (response.status === 204 ? undefined : await response.json()) as AnswerOf<K>
}

/** The same for an answer that comes as events. */
export function listen<K extends Address>(address: K, ...[given]: GivenFor<K>): Promise<Response> {
  return send(address, given ?? {}, 'text/event-stream')
}

async function send(address: string, request: Request, accept?: string): Promise<Response> {
  const { params = {}, query = {}, body, signal, keepalive } = request
  const [method = '', path = ''] = address.split(' ')
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''))
  const token = bearerToken()
  // The server counts what the page calls apart from what agents call.
  const headers: Record<string, string> = { 'x-secretary-client': 'secretary-page' }
  if (token) headers.authorization = `Bearer ${token}`
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (accept) headers.accept = accept
  let response: Response
  try {
    response = await fetch(below(filled) + searchOf(query), {
      method: method.toUpperCase(),
      headers,
      signal,
      keepalive,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError(0, 'The server does not answer. Is `secretary serve` still running?')
  }
  if (response.status === 401) signInNeeded.set(true)
  if (!response.ok) throw await refused(response)
  return response
}

async function refused(response: Response): Promise<ApiError> {
  const wait = response.headers.get('retry-after')
  const about = wait === null ? {} : { retryAfterSeconds: wait }
  try {
    const body = (await response.json()) as Record<string, unknown>
    return new ApiError(
      response.status,
      String(body.message ?? body.error ?? response.statusText),
      { ...about, ...body },
    )
  } catch {
    return new ApiError(response.status, `The server answered ${response.status}`, about)
  }
}
