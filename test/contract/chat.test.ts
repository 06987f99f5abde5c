import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { binary, connectToUrl, type HttpServer, isolatedEnvironment, startHttpServer } from '../support/mcp-client.ts'
import { type AskedModel, type ModelMock, startModelMock } from '../support/model-mock.ts'

interface Reply {
  conversation_id: string
  message: { content: string; sender: string; timestamp: string }
  context: { tasks_modified: number[]; action_taken: string; conversation_created: boolean; needs_confirmation?: object }
}

let env: Record<string, string>
let server: HttpServer
let mock: ModelMock
let tokens: { ada: string; bob: string }

const token = (user: string) =>
  execFileSync(process.execPath, [binary, 'token', 'create', '--user', user], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()
const as = (user: 'ada' | 'bob') => ({ authorization: `Bearer ${tokens[user]}`, 'content-type': 'application/json' })
const send = async (method: string, path: string, body?: unknown, user: 'ada' | 'bob' = 'ada') => {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: as(user),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}
const chat = async (message: string, conversation_id?: string, user: 'ada' | 'bob' = 'ada'): Promise<Reply> => {
  const { status, body } = await send('POST', '/api/v1/chat', { message, ...(conversation_id ? { conversation_id } : {}) }, user)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const titles = async (user: 'ada' | 'bob' = 'ada') =>
  ((await send('GET', '/api/v1/tasks', undefined, user)).body.tasks as { title: string }[]).map(({ title }) => title)
const lastTool = (asked: AskedModel) =>
  asked.messages.filter(({ role }) => role === 'tool').map(({ content }) => JSON.parse(content ?? 'null'))

beforeAll(async () => {
  mock = await startModelMock()
  env = isolatedEnvironment({
    SECRETARY_AUTH: 'on',
    SECRETARY_MODEL: 'mock',
    SECRETARY_MODEL_URL: mock.url,
    SECRETARY_MODEL_KEY: 'sk-secret',
    SECRETARY_RATE_LIMITS: 'off',
  })
  server = await startHttpServer({ env })
  tokens = { ada: token('ada'), bob: token('bob') }
})
afterAll(async () => {
  await server.stop()
  await mock.close()
})
beforeEach(() => mock.script({ say: 'Hello.' }))

describe('the agent loop', () => {
  it('T8 gives the model the function definitions of the same tools', async () => {
    await chat('hello')
    const client = await connectToUrl(server.url, { headers: as('ada') })
    const { tools } = await client.client.listTools()
    const { tools: defined = [] } = mock.asked[0] ?? { messages: [] }
    expect(defined.map(({ function: { name } }) => name)).toEqual([
      'add_task',
      'list_tasks',
      'complete_task',
      'update_task',
      'delete_task',
    ])
    for (const { function: definition } of defined)
      expect(definition.parameters).toEqual(tools.find(({ name }) => name === definition.name)?.inputSchema)
    await client.close()
  })

  it('T8 feeds tool results back until the model answers', async () => {
    mock.script({ calls: [{ name: 'add_task', args: { title: 'Buy milk' } }] }, (asked) => ({
      say: `Added number ${lastTool(asked).at(-1).data.task.id}.`,
    }))
    const reply = await chat('Please add buy milk')
    const [id] = reply.context.tasks_modified
    expect(reply.message).toMatchObject({ content: `Added number ${id}.`, sender: 'ai' })
    expect(reply.context).toMatchObject({ action_taken: 'add_task', conversation_created: true })
    expect(await titles()).toContain('Buy milk')
  })

  it('T8 runs several tools in their order, and reads that stand together at once', async () => {
    mock.script(
      {
        calls: [
          { name: 'add_task', args: { title: 'First' } },
          { name: 'list_tasks', args: { limit: 1 } },
          { name: 'list_tasks', args: {} },
        ],
      },
      (asked) => ({
        say: lastTool(asked)
          .map((result) =>
            result.data.task ? 'added' : `listed ${result.data.tasks.some(({ title }: { title: string }) => title === 'First')}`,
          )
          .join(', '),
      }),
    )
    expect((await chat('do much')).message.content).toBe('added, listed false, listed true')
  })

  it('T8 lets the model ask for a missing parameter, and shows it the refusal', async () => {
    mock.script({ calls: [{ name: 'add_task', args: {} }] }, (asked) => ({
      say: lastTool(asked)[0].error === 'title is required' ? 'What should the task say?' : 'guessed',
    }))
    expect((await chat('add a task')).message.content).toBe('What should the task say?')
  })

  it.each([
    ['an unknown tool', { calls: [{ name: 'launch_rocket', args: {} }] }, /no tool launch_rocket/],
    ['broken JSON', { brokenCall: { name: 'add_task', text: '{"title": oops' } }, /not valid JSON/],
  ] as const)('T8 tells the model about %s instead of failing', async (_name, script, complaint) => {
    mock.script(script, (asked) => ({ say: lastTool(asked)[0].error }))
    expect((await chat('go')).message.content).toMatch(complaint)
  })

  it('T8 asks the person before it destroys, and does it after a yes', async () => {
    const { body } = await send('POST', '/api/v1/tasks', { title: 'Doomed' })
    const id = body.task.id as number
    mock.script({ calls: [{ name: 'delete_task', args: { task_id: id } }] })
    const asked = await chat('delete it')
    expect(asked.message.content).toMatch(/cannot be undone/)
    expect(asked.context.needs_confirmation).toEqual({ name: 'delete_task', args: { task_id: id } })
    expect(await titles()).toContain('Doomed')
    const done = await chat('yes', asked.conversation_id)
    expect(done.context.tasks_modified).toEqual([id])
    expect(await titles()).not.toContain('Doomed')
  })

  it('T8 stops a model that never stops, and says what was done', async () => {
    mock.script({ calls: [{ name: 'list_tasks', args: {} }] })
    expect((await chat('loop')).message.content).toMatch(/stopped after 8 steps/)
    expect(mock.asked).toHaveLength(8)
  })

  it.each([
    ['is down', { hangUp: true }],
    ['answers 500', { status: 500 }],
    ['is rate-limited', { status: 429 }],
    ['refuses the key', { status: 401 }],
    ['talks garbage', { garbage: true }],
    ['says nothing', { say: '' }],
  ] as const)(
    'T8 a model that %s gets an honest answer, in plain words, and the message is kept',
    { timeout: 60_000 },
    async (_name, script) => {
      mock.script(script)
      const reply = await chat('what is left to do?')
      expect(reply.message.content).toMatch(/^The model .*, so I answer by simple rules this time\./)
      expect(reply.message.content).not.toMatch(/secret upstream|stack|ECONN|sk-secret|No language model/i)
      expect(mock.asked.length).toBeLessThanOrEqual(3)
      const { body } = await send('GET', `/api/v1/conversations/${reply.conversation_id}`)
      expect(body.messages.map(({ content }: { content: string }) => content)).toEqual([
        'what is left to do?',
        reply.message.content,
      ])
    },
  )
})

describe('the service', () => {
  it('T9 rebuilds every request from the stored history, with the new message once', async () => {
    mock.script({ say: 'First answer.' })
    const first = await chat('My name is Ada')
    mock.script({ say: 'Second answer.' })
    await chat('What is my name?', first.conversation_id)
    expect(mock.asked[0]?.messages.slice(1).map(({ role, content }) => `${role}: ${content}`)).toEqual([
      'user: My name is Ada',
      'assistant: First answer.',
      'user: What is my name?',
    ])
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
    expect((await fetch(`${server.url}/api/ada/chat`, { method: 'POST', body: '{"message":"x"}' })).status).toBe(401)
  })

  it('T9 streams text and tool calls as server-sent events', async () => {
    mock.script({ calls: [{ name: 'list_tasks', args: {} }] }, { say: 'That is all of it.' })
    const response = await fetch(`${server.url}/api/v1/chat`, {
      method: 'POST',
      headers: { ...as('ada'), accept: 'text/event-stream' },
      body: '{"message":"stream"}',
    })
    const events = (await response.text())
      .split('\n\n')
      .filter(Boolean)
      .map((block) => ({
        event: /^event: (.+)$/m.exec(block)?.[1],
        data: JSON.parse(/^data: (.+)$/m.exec(block)?.[1] ?? 'null'),
      }))
    expect(events.map(({ event }) => event)).toEqual(['tool', 'tool_result', 'text', 'text', 'text', 'done'])
    expect(
      events
        .filter(({ event }) => event === 'text')
        .map(({ data }) => data.delta)
        .join(''),
    ).toBe('That is all of it.')
    expect(events.at(-1)?.data.message.content).toBe('That is all of it.')
  })

  it.each([{}, { message: '' }, { message: 5 }, { message: 'x'.repeat(10_001) }])('T9 refuses %j with 400', async (body) => {
    expect((await send('POST', '/api/v1/chat', body)).status).toBe(400)
  })

  it('T9 two users never see each other’s tasks through the chat', async () => {
    await send('POST', '/api/v1/tasks', { title: 'only for Ada' })
    mock.script({ calls: [{ name: 'list_tasks', args: {} }] }, (asked) => ({ say: JSON.stringify(lastTool(asked)) }))
    expect((await chat('list', undefined, 'bob')).message.content).not.toContain('only for Ada')
  })

  it('T9 a server killed in mid-answer has kept what the person said', async () => {
    mock.script({ never: true })
    const other = await startHttpServer({ env })
    const asking = fetch(`${other.url}/api/v1/chat`, {
      method: 'POST',
      headers: as('ada'),
      body: '{"message":"remember this even so"}',
    }).catch(() => undefined)
    while (mock.asked.length === 0) await new Promise((later) => setTimeout(later, 10))
    other.child.kill('SIGKILL')
    await asking
    const { body } = await send('GET', '/api/v1/conversations?limit=100')
    expect(body.conversations.map(({ last_message }: { last_message: string }) => last_message)).toContain(
      'remember this even so',
    )
  })

  it('T9 limits each user to 60 messages a minute and says when to come back', async () => {
    const limited = await startHttpServer({ env: { ...env, SECRETARY_RATE_LIMITS: 'on' } })
    const statuses = await Promise.all(
      Array.from({ length: 61 }, async () =>
        fetch(`${limited.url}/api/v1/chat`, { method: 'POST', headers: as('bob'), body: '{"message":"hi"}' }),
      ),
    )
    const refused = statuses.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(1)
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    await limited.stop()
  })
})

describe('without a model', () => {
  const run = promisify(execFile)
  const say = async (message: string, home: Record<string, string>) =>
    (await run(process.execPath, [binary, 'chat', '--once', message], { env: home })).stdout

  it('T10 the rule-based agent does the work of every intent and says what it is', async () => {
    const home = isolatedEnvironment()
    expect(await say('add a task to buy milk', home)).toMatch(/Added task 1: “Buy milk”[\s\S]*No language model is configured/)
    expect(await say('what is left?', home)).toContain('· 1  Buy milk')
    expect(await say('rename buy milk to Buy oat milk', home)).toContain('Changed task 1')
    expect(await say('I bought... mark oat milk as done', home)).toMatch(/understand|did not/)
    expect(await say('mark oat milk as done', home)).toContain("Task 'Buy oat milk' marked as complete")
    expect(await say('delete task 1', home)).toContain('for good? Answer yes or no')
    expect(await say('add a task', home)).toContain('What should the task say?')
    expect(await say('Mark it as high priority', home)).toContain('I cannot keep priorities')
  })

  it('T10 a yes carries out what was asked about, anything else does not', async () => {
    const home = isolatedEnvironment()
    const { stdout } = await run(process.execPath, [binary, 'call', 'add_task', '{"title":"Doomed"}'], { env: home })
    expect(stdout).toContain('Doomed')
    const plain = await startHttpServer({ env: home })
    const post = async (body: object) =>
      (await (
        await fetch(`${plain.url}/api/v1/chat`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).json()) as Reply
    const no = await post({ message: 'delete doomed' })
    await post({ message: 'no', conversation_id: no.conversation_id })
    await post({ message: 'yes', conversation_id: no.conversation_id })
    expect((await run(process.execPath, [binary, 'tasks'], { env: home })).stdout).toContain('Doomed')
    const yes = await post({ message: 'delete doomed' })
    expect((await post({ message: 'Yes!', conversation_id: yes.conversation_id })).message.content).toMatch(/^Done: delete/)
    expect((await run(process.execPath, [binary, 'tasks'], { env: home })).stdout).not.toContain('Doomed')
    await plain.stop()
  })
})
