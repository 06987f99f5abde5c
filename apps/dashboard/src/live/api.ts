import { below } from './base.ts'
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

export interface Sent {
  readonly body?: unknown
  readonly signal?: AbortSignal
  /** Lets the browser finish the request after the page is gone. */
  readonly keepalive?: boolean
  readonly accept?: string
}

export async function send(
  method: string,
  path: string,
  { body, signal, keepalive, accept }: Sent = {},
): Promise<Response> {
  const token = bearerToken()
  const headers: Record<string, string> = {}
  if (token) headers.authorization = `Bearer ${token}`
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (accept) headers.accept = accept
  let response: Response
  try {
    response = await fetch(below(path), {
      method,
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

export async function json<T>(method: string, path: string, sent?: Sent): Promise<T> {
  const response = await send(method, path, sent)
  return response.status === 204 ? (undefined as T) : ((await response.json()) as T)
}

export function get<T>(
  path: string,
  query: Readonly<Record<string, unknown>> = {},
  signal?: AbortSignal,
): Promise<T> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return json<T>('GET', search ? `${path}?${search}` : path, { signal })
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
