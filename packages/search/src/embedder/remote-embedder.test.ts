import { describe, expect, it } from 'vitest'
import type { VectorCache } from './embedder.ts'
import { createRemoteEmbedder } from './remote-embedder.ts'

const URL = 'http://embeddings.test/v1'

/** A service that answers with the length of each text, after as many failures as asked for. */
function service(failures: readonly { status: number; retryAfter?: string }[] = []) {
  const asked: string[][] = []
  const left = [...failures]
  const fetch = async (_url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    init?.signal?.throwIfAborted()
    const { input } = JSON.parse(String(init?.body)) as { input: string[] }
    asked.push(input)
    const failure = left.shift()
    if (failure)
      return new Response('no', {
        status: failure.status,
        headers: failure.retryAfter ? { 'retry-after': failure.retryAfter } : {},
      })
    return Response.json({
      data: input.map((text, index) => ({ index, embedding: [text.length, 1, 0] })).reverse(),
    })
  }
  return { asked, fetch }
}

function memoryCache(): VectorCache {
  const kept = new Map<string, Int8Array>()
  return {
    find: async (model, hashes) =>
      new Map(
        hashes.flatMap((hash) =>
          kept.has(model + hash) ? [[hash, kept.get(model + hash) as Int8Array] as const] : [],
        ),
      ),
    keep: async (model, vectors) =>
      vectors.forEach((vector, hash) => void kept.set(model + hash, vector)),
  }
}

describe('the remote embedder', () => {
  it('keeps the order of the texts, whatever order the service answers in', async () => {
    const { fetch } = service()
    const embedder = createRemoteEmbedder({ url: URL, model: 'm', fetch })
    const [long = new Float32Array(), short = new Float32Array()] = await embedder.embed([
      'aaaaaaaaaa',
      'a',
    ])
    expect(long[0]).toBeGreaterThan(0.9)
    expect(short[0]).toBeCloseTo(Math.SQRT1_2, 1)
    expect(embedder.dimension).toBe(3)
  })

  it('asks in batches and for each text once', async () => {
    const { asked, fetch } = service()
    const texts = Array.from({ length: 130 }, (_, i) => 'x'.repeat((i % 100) + 1))
    expect(await createRemoteEmbedder({ url: URL, model: 'm', fetch }).embed(texts)).toHaveLength(
      130,
    )
    expect(asked.map((batch) => batch.length)).toEqual([64, 36])
  })

  it('never asks again for what the cache has', async () => {
    const { asked, fetch } = service()
    const cache = memoryCache()
    await createRemoteEmbedder({ url: URL, model: 'm', fetch, cache }).embed(['one', 'two'])
    await createRemoteEmbedder({ url: URL, model: 'm', fetch, cache }).embed(['two', 'three'])
    expect(asked).toEqual([['one', 'two'], ['three']])
  })

  it('tries again after a passing fault, longer each time or as long as the service asks', async () => {
    const { asked, fetch } = service([
      { status: 503 },
      { status: 429, retryAfter: '7' },
      { status: 500 },
    ])
    const pauses: number[] = []
    const wait = async (ms: number) => pauses.push(ms)
    await createRemoteEmbedder({ url: URL, model: 'm', fetch, wait }).embed(['text'])
    expect(asked).toHaveLength(4)
    expect(pauses).toEqual([500, 7000, 2000])
  })

  it('gives up after four tries, and at once on a fault of ours', async () => {
    const down = service(Array.from({ length: 9 }, () => ({ status: 503 })))
    const wrong = service([{ status: 401 }])
    const wait = async () => undefined
    await expect(
      createRemoteEmbedder({ url: URL, model: 'm', fetch: down.fetch, wait }).embed(['text']),
    ).rejects.toThrow('status 503')
    await expect(
      createRemoteEmbedder({ url: URL, model: 'm', fetch: wrong.fetch, wait }).embed(['text']),
    ).rejects.toThrow('status 401')
    expect([down.asked.length, wrong.asked.length]).toEqual([4, 1])
  })

  it('refuses an answer that lacks a vector', async () => {
    const fetch = async () => Response.json({ data: [] })
    const wait = async () => undefined
    await expect(
      createRemoteEmbedder({ url: URL, model: 'm', fetch, wait }).embed(['text']),
    ).rejects.toThrow('without a vector')
  })

  it('stops when asked to, without another try', async () => {
    const { asked, fetch } = service()
    await expect(
      createRemoteEmbedder({ url: URL, model: 'm', fetch }).embed(['text'], AbortSignal.abort()),
    ).rejects.toThrow()
    expect(asked).toEqual([])
  })
})
