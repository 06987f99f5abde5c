import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Connection, connectStdio } from '../support/mcp-client.ts'

/** Takes every question and never answers: whoever waits for it waits for ever. */
const silent = createServer(() => asked++)
let asked = 0
let server: Connection

beforeAll(async () => {
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  server = await connectStdio({
    env: {
      SECRETARY_EMBEDDINGS_URL: `http://127.0.0.1:${port}/v1`,
      SECRETARY_EMBEDDINGS_KEY: 'dummy',
      SECRETARY_RATE_LIMITS: 'off',
    },
  })
})
afterAll(async () => {
  await server.close()
  silent.closeAllConnections()
  silent.close()
})

describe('with an embedding service that hangs', () => {
  it('a discovery is recorded all the same', async () => {
    const { body } = await server.call('record_discovery', {
      type: 'decision',
      content: 'We keep sessions in Redis because workers share them',
    })
    expect(body).toMatchObject({ type: 'decision', message: 'Discovery recorded' })
  })

  it('a search answers by words, and says so', async () => {
    const search = async () =>
      (await server.call('context_search', { query: 'sessions in Redis' })).body
    expect(await search()).toMatchObject({
      results: [{ content: expect.stringContaining('Redis') }],
    })
    await expect
      .poll(async () => (await search()).message)
      .toContain('Try using grep_codebase for text search')
    expect(asked).toBeGreaterThan(0)
  })
})
