import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { redact } from '@secretary-mcp/core/redact.ts'
import { type Embedder, quantise, type VectorCache } from './embedder.ts'
import { normalise } from './static-embedder.ts'

export interface RemoteEmbedderOptions {
  /** Base address of an OpenAI-compatible service, such as `http://localhost:11434/v1`. */
  readonly url: string
  readonly model: string
  readonly apiKey?: string
  /** Asked of the service where it can shorten its vectors. */
  readonly dimension?: number
  readonly timeoutMs?: number
  readonly cache?: VectorCache
  readonly fetch?: typeof fetch
  /** Waits between tries; a test passes one that does not wait. */
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<unknown>
}

const BATCH = 64
const TRIES = 4
const FIRST_PAUSE_MS = 500
const TIMEOUT_MS = 30_000
/** What most services take in one text; the rest of a longer one is left out. */
const MAX_CHARS = 8000

/** Any OpenAI-compatible embeddings endpoint. */
export function createRemoteEmbedder(options: RemoteEmbedderOptions): Embedder {
  const { cache, wait = (ms, signal) => delay(ms, undefined, { signal }) } = options
  const id = `${options.model}@${new URL(options.url).host}${options.dimension ? `/${options.dimension}` : ''}`
  let dimension = options.dimension ?? 0

  return {
    id,
    get dimension() {
      return dimension
    },
    async embed(given, signal) {
      const texts = given.map(redact)
      const keys = texts.map((text) =>
        createHash('sha256').update(text).digest('base64url').slice(0, 22),
      )
      const known = new Map(await cache?.find(id, [...new Set(keys)]))
      const missing = [...new Map(keys.map((key, i) => [key, texts[i] ?? ''])).entries()].filter(
        ([key]) => !known.has(key),
      )
      for (let at = 0; at < missing.length; at += BATCH) {
        const batch = missing.slice(at, at + BATCH)
        const vectors = await askPatiently(
          batch.map(([, text]) => text.slice(0, MAX_CHARS)),
          signal,
        )
        const fresh = new Map(
          batch.map(([key], i) => [key, quantise(vectors[i] ?? new Float32Array(dimension))]),
        )
        for (const [key, vector] of fresh) known.set(key, vector)
        await cache?.keep(id, fresh)
      }
      return keys.map((key) => normalise(Float32Array.from(known.get(key) ?? [])))
    },
  }

  async function askPatiently(
    input: readonly string[],
    signal?: AbortSignal,
  ): Promise<Float32Array[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await ask(input, signal)
      } catch (error) {
        signal?.throwIfAborted()
        if (attempt === TRIES || (error instanceof ServiceError && !error.mayPass)) throw error
        const asked = error instanceof ServiceError ? error.retryAfterMs : undefined
        await wait(asked ?? FIRST_PAUSE_MS * 2 ** (attempt - 1), signal)
      }
    }
  }

  async function ask(input: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    const timeout = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS)
    const response = await (options.fetch ?? fetch)(
      `${options.url.replace(/(?<!\/)\/+$/, '')}/embeddings`,
      {
        // The key goes to the host that it was given for, not where that host sends us on to.
        redirect: 'error',
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(options.apiKey ? { authorization: `Bearer ${options.apiKey}` } : {}),
        },
        body: JSON.stringify({
          model: options.model,
          input,
          encoding_format: 'float',
          ...(options.dimension ? { dimensions: options.dimension } : {}),
        }),
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      },
    )
    if (!response.ok) throw new ServiceError(response.status, response.headers.get('retry-after'))
    const vectors = vectorsIn(await response.json(), input.length)
    dimension = vectors[0]?.length ?? dimension
    return vectors
  }
}

const MAX_PAUSE_MS = 30_000

/** Says the status and nothing of the body: what the service writes there would reach a prompt. */
class ServiceError extends Error {
  readonly mayPass: boolean
  readonly retryAfterMs: number | undefined

  constructor(status: number, retryAfter: string | null) {
    super(`the embedding service answered with status ${status}`)
    this.name = 'ServiceError'
    this.mayPass = status === 408 || status === 429 || status >= 500
    const seconds = Number(retryAfter ?? Number.NaN)
    this.retryAfterMs = Number.isFinite(seconds)
      ? Math.min(seconds * 1000, MAX_PAUSE_MS)
      : undefined
  }
}

function vectorsIn(body: unknown, wanted: number): Float32Array[] {
  const data = (body as { data?: unknown }).data
  const rows = Array.isArray(data) ? (data as { index?: number; embedding?: unknown }[]) : []
  const vectors: Float32Array[] = []
  rows.forEach((row, i) => {
    if (Array.isArray(row.embedding))
      vectors[row.index ?? i] = Float32Array.from(row.embedding as number[])
  })
  const whole =
    vectors.length === wanted &&
    vectors.every((vector) => vector?.length > 0 && vector.length === vectors[0]?.length)
  if (!whole) throw new Error('the embedding service answered without a vector for each text')
  return vectors
}
