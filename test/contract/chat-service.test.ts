import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ChatHouse, openChatHouse, toolResults } from '../support/chat-house.ts'
import { startHttpServer } from '../support/mcp-client.ts'
import type { ModelMock } from '../support/model-mock.ts'

let house: ChatHouse
let mock: ModelMock
let chat: ChatHouse['chat']
let send: ChatHouse['send']

beforeAll(async () => {
  house = await openChatHouse()
  ;({ mock, chat, send } = house)
})
afterAll(() => house.close())
beforeEach(() => mock.script({ say: 'Hello.' }))

describe('the service', () => {
  it('T9 rebuilds every request from the stored history, with the new message once', async () => {
    mock.script({ say: 'First answer.' })
    const first = await chat('My name is Ada')
    mock.script({ say: 'Second answer.' })
    await chat('What is my name?', first.conversation_id)
    expect(
      mock.asked[0]?.messages.slice(1).map(({ role, content }) => `${role}: ${content}`),
    ).toEqual(['user: My name is Ada', 'assistant: First answer.', 'user: What is my name?'])
  })

  it('T9 keeps to the last 20 messages', async () => {
    const { conversation_id } = await chat('message 0')
    for (let i = 1; i < 13; i++) await chat(`message ${i}`, conversation_id)
    expect(mock.asked.at(-1)?.messages).toHaveLength(1 + 20 + 1)
  })

  it('T9 lists, reads and deletes conversations of the caller alone', async () => {
    const { conversation_id: id } = await chat('A secret plan')
    const mine = (await send('GET', '/api/v1/conversations?limit=100')).body
    expect(mine.conversations.find((one: { id: string }) => one.id === id)).toMatchObject({
      title: 'A secret plan',
      message_count: 2,
      last_message: 'Hello.',
    })
    expect((await send('GET', '/api/v1/conversations', undefined, 'bob')).body.total).toBe(0)
    for (const [method, path, body] of [
      ['GET', `/api/v1/conversations/${id}`],
      ['DELETE', `/api/v1/conversations/${id}`],
      ['POST', '/api/v1/chat', { message: 'x', conversation_id: id }],
    ] as const) {
      expect((await send(method, path, body, 'bob')).status).toBe(403)
    }
    expect((await send('DELETE', `/api/v1/conversations/${id}`)).status).toBe(204)
    expect((await send('GET', `/api/v1/conversations/${id}`)).status).toBe(404)
  })

  it('T9 answers POST /api/{user_id}/chat for the token’s own user only', async () => {
    mock.script({ calls: [{ name: 'add_task', args: { title: 'Short form' } }] }, { say: 'Done.' })
    const { status, body } = await send('POST', '/api/ada/chat', { message: 'add it' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      conversation_id: expect.any(String),
      response: 'Done.',
      tool_calls: [{ name: 'add_task', arguments: { title: 'Short form' }, is_error: false }],
    })
    expect((await send('POST', '/api/ada/chat', { message: 'add it' }, 'bob')).status).toBe(403)
    expect(
      (await fetch(`${house.server.url}/api/ada/chat`, { method: 'POST', body: '{"message":"x"}' }))
        .status,
    ).toBe(401)
  })

  it('T9 streams text and tool calls as server-sent events', async () => {
    mock.script({ calls: [{ name: 'list_tasks', args: {} }] }, { say: 'That is all of it.' })
    const response = await fetch(`${house.server.url}/api/v1/chat`, {
      method: 'POST',
      headers: { ...house.as('ada'), accept: 'text/event-stream' },
      body: '{"message":"stream"}',
    })
    const events = (await response.text())
      .split('\n\n')
      .filter(Boolean)
      .map((block) => ({
        event: /^event: (.+)$/m.exec(block)?.[1],
        data: JSON.parse(/^data: (.+)$/m.exec(block)?.[1] ?? 'null'),
      }))
    expect(events.map(({ event }) => event)).toEqual([
      'conversation',
      'tool',
      'tool_result',
      'text',
      'text',
      'text',
      'done',
    ])
    expect(
      events
        .filter(({ event }) => event === 'text')
        .map(({ data }) => data.delta)
        .join(''),
    ).toBe('That is all of it.')
    expect(events.at(-1)?.data.message.content).toBe('That is all of it.')
  })

  it.each([{}, { message: '' }, { message: 5 }, { message: 'x'.repeat(10_001) }])(
    'T9 refuses %j with 400',
    async (body) => {
      expect((await send('POST', '/api/v1/chat', body)).status).toBe(400)
    },
  )

  it('T9 two users never see each other’s tasks through the chat', async () => {
    await send('POST', '/api/v1/tasks', { title: 'only for Ada' })
    mock.script({ calls: [{ name: 'list_tasks', args: {} }] }, (asked) => ({
      say: JSON.stringify(toolResults(asked)),
    }))
    expect((await chat('list', undefined, 'bob')).message.content).not.toContain('only for Ada')
  })

  it('T9 a server killed in mid-answer has kept what the person said', async () => {
    mock.script({ never: true })
    const other = await startHttpServer({ env: house.env })
    const asking = fetch(`${other.url}/api/v1/chat`, {
      method: 'POST',
      headers: house.as('ada'),
      body: '{"message":"remember this even so"}',
    }).catch(() => undefined)
    while (mock.asked.length === 0) await new Promise((later) => setTimeout(later, 10))
    other.child.kill('SIGKILL')
    await asking
    const { body } = await send('GET', '/api/v1/conversations?limit=100')
    expect(
      body.conversations.map(({ last_message }: { last_message: string }) => last_message),
    ).toContain('remember this even so')
  })

  it('T9 limits each user to 60 messages a minute and says when to come back', async () => {
    const limited = await startHttpServer({ env: { ...house.env, SECRETARY_RATE_LIMITS: 'on' } })
    const statuses = await Promise.all(
      Array.from({ length: 61 }, async () =>
        fetch(`${limited.url}/api/v1/chat`, {
          method: 'POST',
          headers: house.as('bob'),
          body: '{"message":"hi"}',
        }),
      ),
    )
    const refused = statuses.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(1)
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    await limited.stop()
  })
})
