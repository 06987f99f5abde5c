import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  type Connection,
  connectStdio,
  type HttpServer,
  isolatedEnvironment,
  startHttpServer,
} from '../support/mcp-client.ts'

interface Told {
  readonly kind: string
  readonly topics?: readonly string[]
  readonly tools?: readonly string[]
}

describe('an open page', () => {
  const ending = new AbortController()
  const env = isolatedEnvironment()
  let server: HttpServer
  let agent: Connection
  let told: Told[] = []
  const send = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${server.url}/api/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...server.headers },
      body: body ? JSON.stringify(body) : null,
    })
    expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true)
    return response.status === 204 ? {} : ((await response.json()) as Record<string, unknown>)
  }
  const topics = () => [...new Set(told.flatMap(({ topics = [] }) => topics))]

  beforeAll(async () => {
    server = await startHttpServer({ env })
    agent = await connectStdio({ env })
    const { headers } = server
    const { body } = await fetch(`${server.url}/api/v1/events`, { headers, signal: ending.signal })
    const listen = async () => {
      let text = ''
      for await (const part of body ?? []) {
        text += Buffer.from(part).toString()
        told = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data))
      }
    }
    listen().catch(() => {})
    await vi.waitFor(() => expect(told).toEqual([{ kind: 'ready' }]))
  })
  afterAll(async () => {
    ending.abort()
    await agent.close()
    await server.stop()
  })

  it('is told of whatever another tab writes, by a tool or not', async () => {
    const { task } = await send('POST', '/tasks', { title: 'Buy milk' })
    await expect.poll(topics).toEqual(['tasks'])
    const changes: [string, string, object, string][] = [
      [
        'PUT',
        `/tasks/${(task as { id: number }).id}/request`,
        { session_id: 's', request_index: 1 },
        'tasks',
      ],
      ['POST', '/spaces', { name: 'Team' }, 'team'],
      ['PUT', '/guide/flags/lang', { value: 'go', before: null }, 'guide'],
    ]
    for (const [method, path, body, topic] of changes) {
      const before = told.length
      await send(method, path, body)
      const heard = () => told.slice(before).flatMap(({ topics = [] }) => topics)
      await expect.poll(heard, { message: path }).toContain(topic)
    }
  })

  it('is told of what an agent’s server writes to the same file', async () => {
    const before = told.length
    await agent.call('record_discovery', {
      type: 'decision',
      content: 'Money is kept in cents.',
    })
    await expect
      .poll(() => told.slice(before).flatMap(({ topics = [] }) => topics))
      .toContain('context')
    await expect
      .poll(() => told.flatMap(({ tools = [] }) => tools), { timeout: 10_000 })
      .toContain('record_discovery')
  })

  it('is told nothing where nothing was written', async () => {
    // Whatever is still to come from before has come once a later write has.
    await send('POST', '/spaces', { name: 'Other' })
    await expect.poll(() => told.at(-1)).toMatchObject({ kind: 'written', topics: ['team'] })
    const before = told.length
    for (const path of ['/today', '/tasks', '/dialogs', '/spaces', '/pins', '/session'])
      await send('GET', path)
    await send('POST', '/spaces', { name: 'Third' })
    await expect.poll(() => told.length).toBeGreaterThan(before)
    expect(told.slice(before)).toEqual([{ kind: 'written', topics: ['team'] }])
  })
})
