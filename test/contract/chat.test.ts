import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ChatHouse, openChatHouse, toolResults } from '../support/chat-house.ts'
import { connectToUrl } from '../support/mcp-client.ts'
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

describe('the agent loop', () => {
  it('T8 gives the model the function definitions of the same tools', async () => {
    await chat('hello')
    const client = await connectToUrl(house.server.url, { headers: house.as('ada') })
    const { tools } = await client.client.listTools()
    const { tools: defined = [] } = mock.asked[0] ?? { messages: [] }
    expect(defined.map(({ function: { name } }) => name).sort()).toEqual([
      'add_task',
      'complete_task',
      'delete_task',
      'list_tasks',
      'plan_task',
      'update_task',
    ])
    for (const { function: definition } of defined) {
      const { inputSchema } = tools.find(({ name }) => name === definition.name) ?? {}
      // Limits are left out, which the server checks; all else is the same.
      expect(inputSchema).toMatchObject(definition.parameters)
      const named = Object.keys(definition.parameters.properties ?? {})
      expect(named).toEqual(Object.keys(inputSchema?.properties ?? {}))
    }
    await client.close()
  })

  it('T8 feeds tool results back until the model answers', async () => {
    mock.script({ calls: [{ name: 'add_task', args: { title: 'Buy milk' } }] }, (asked) => ({
      say: `Added number ${toolResults(asked).at(-1).data.task.id}.`,
    }))
    const reply = await chat('Please add buy milk')
    const [id] = reply.context.tasks_modified
    expect(reply.message).toMatchObject({ content: `Added number ${id}.`, sender: 'ai' })
    expect(reply.context).toMatchObject({ action_taken: 'add_task', conversation_created: true })
    expect(await house.titles()).toContain('Buy milk')
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
        say: toolResults(asked)
          .map((result) =>
            result.data.task
              ? 'added'
              : `listed ${result.data.tasks.some(({ title }: { title: string }) => title === 'First')}`,
          )
          .join(', '),
      }),
    )
    expect((await chat('do much')).message.content).toBe('added, listed false, listed true')
  })

  it('T8 lets the model ask for a missing parameter, and shows it the refusal', async () => {
    mock.script({ calls: [{ name: 'add_task', args: {} }] }, (asked) => ({
      say:
        toolResults(asked)[0].error === 'title is required'
          ? 'What should the task say?'
          : 'guessed',
    }))
    expect((await chat('add a task')).message.content).toBe('What should the task say?')
  })

  it.each([
    ['an unknown tool', { calls: [{ name: 'launch_rocket', args: {} }] }, /no tool launch_rocket/],
    ['broken JSON', { brokenCall: { name: 'add_task', text: '{"title": oops' } }, /not valid JSON/],
  ] as const)(
    'T8 tells the model about %s instead of failing',
    async (_name, script, complaint) => {
      mock.script(script, (asked) => ({ say: toolResults(asked)[0].error }))
      expect((await chat('go')).message.content).toMatch(complaint)
    },
  )

  it('T8 asks the person before it destroys, and does it after a yes', async () => {
    const { body } = await send('POST', '/api/v1/tasks', { title: 'Doomed' })
    const id = body.task.id as number
    mock.script({ calls: [{ name: 'delete_task', args: { task_id: id } }] }, { say: 'Gone.' })
    const asked = await chat('delete it')
    expect(asked.message.content).toMatch(/cannot be undone/)
    expect(asked.context.needs_confirmation).toEqual({ name: 'delete_task', args: { task_id: id } })
    expect(await house.titles()).toContain('Doomed')
    const done = await chat('yes', asked.conversation_id)
    expect(done.context.tasks_modified).toEqual([id])
    expect(await house.titles()).not.toContain('Doomed')
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
      expect(reply.message.content).toMatch(
        /^The model .*\. I am answering by simple rules this time\./,
      )
      expect(reply.message.content).not.toMatch(
        /secret upstream|stack|ECONN|sk-secret|No language model/i,
      )
      expect(mock.asked.length).toBeLessThanOrEqual(3)
      const { body } = await send('GET', `/api/v1/conversations/${reply.conversation_id}`)
      expect(body.messages.map(({ content }: { content: string }) => content)).toEqual([
        'what is left to do?',
        reply.message.content,
      ])
    },
  )
})
