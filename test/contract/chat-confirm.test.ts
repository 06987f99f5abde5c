import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ChatHouse, openChatHouse, toolResults } from '../support/chat-house.ts'

let house: ChatHouse

beforeAll(async () => {
  house = await openChatHouse({ SECRETARY_CHAT_TOOLS: 'all' })
})
afterAll(() => house.close())

const addTask = async (title: string, description?: string) =>
  (await house.send('POST', '/api/v1/tasks', { title, description })).body.task.id as number
const deletion = (task_id: number) => ({ name: 'delete_task', args: { task_id } })

describe('a model that wants to destroy', () => {
  it('T8 makes the chat ask with looked-up facts, never with the words of the model', async () => {
    const id = await addTask('Pay the rent', 'Before Friday')
    house.mock.script({
      calls: [{ name: 'delete_task', args: { task_id: id, title: 'An empty test task' } }],
    })
    const { message } = await house.chat('clean up')
    expect(message.content).toContain(`Delete task ${id}, “Pay the rent” (“Before Friday”)`)
    expect(message.content).not.toContain('empty test task')
  })

  it('T8 asks again where the task has changed between the question and the yes', async () => {
    const id = await addTask('Old words')
    house.mock.script({ calls: [deletion(id)] }, { say: 'Gone.' })
    const asked = await house.chat('delete it')
    await house.send('PATCH', `/api/v1/tasks/${id}`, { title: 'New words' })
    const again = await house.chat('yes', asked.conversation_id)
    expect(again.message.content).toContain('“New words”')
    expect(await house.titles()).toContain('New words')
    await house.chat('Yes, delete it', asked.conversation_id)
    expect(await house.titles()).not.toContain('New words')
  })

  it('T8 is told that a task does not exist, and nobody is asked', async () => {
    house.mock.script({ calls: [deletion(999_999)] }, (asked) => ({
      say: toolResults(asked).at(-1).error,
    }))
    expect((await house.chat('delete it')).message.content).toMatch(/^Task not found/)
  })

  it.each([
    [
      'update_document',
      { path: 'lang/x.md', content: 'x', consent: 'UPDATE_DOCUMENT' },
      /document/,
    ],
    ['remove_document', { path: 'lang/x.md', consent: 'REMOVE_DOCUMENT' }, /document “lang\/x.md”/],
    ['create_document', { path: 'lang/x.md', content: 'x', consent: 'CREATE_DOCUMENT' }, /Create/],
    ['category_remove', { name: 'lang' }, /Remove the category “lang”/],
    ['category_change', { name: 'lang', new_name: 'l' }, /category “lang”.*new name: “l”/],
    ['collection_remove', { name: 'all' }, /Remove the collection “all”/],
    ['set_feature_flag', { name: 'team', value: null }, /Remove the global flag “team”, not set/],
    ['set_project_flag', { name: 'strict', value: 'on' }, /flag “strict”, not set now, to “on”/],
  ])('T8 asks before %s', async (name, args, question) => {
    const tools = house.mock.asked
    house.mock.script({ say: 'Hello.' })
    await house.chat('hello')
    const known = tools[0]?.tools?.map(({ function: { name: one } }) => one) ?? []
    const called = known.find((one) => one.endsWith(name)) ?? name
    house.mock.script({ calls: [{ name: called, args }] })
    const { message, context } = await house.chat('go')
    expect(message.content).toMatch(question)
    expect(message.content).toContain('Answer yes or no.')
    expect(message.content).not.toMatch(/[a-z]_[a-z]/)
    expect(context.needs_confirmation).toMatchObject({ name: called })
  })
})

describe('several calls in one turn', () => {
  it('T8 all happen in their order after a yes, and the model is asked again', async () => {
    const [one, two] = [await addTask('Doomed one'), await addTask('Doomed two')]
    house.mock.script(
      {
        calls: [
          { name: 'add_task', args: { title: 'Before' } },
          deletion(one),
          { name: 'add_task', args: { title: 'Between' } },
          deletion(two),
          { name: 'add_task', args: { title: 'After' } },
        ],
      },
      (asked) => ({ say: `${toolResults(asked).filter(({ success }) => success).length} done` }),
    )
    const first = await house.chat('do it all')
    expect(first.message.content).toContain('“Doomed one”')
    const second = await house.chat('yes please', first.conversation_id)
    expect(second.message.content).toContain('“Doomed two”')
    const last = await house.chat('да', first.conversation_id)
    expect(last.message.content).toBe('5 done')
    const titles = await house.titles()
    expect(titles).toEqual(expect.arrayContaining(['Before', 'Between', 'After']))
    expect(titles).not.toContain('Doomed one')
    expect(titles).not.toContain('Doomed two')
    expect(house.mock.asked).toHaveLength(2)
  })

  it('T8 after a no the model learns of it, and the others happen', async () => {
    const id = await addTask('Kept')
    house.mock.script(
      { calls: [deletion(id), { name: 'add_task', args: { title: 'Still added' } }] },
      (asked) => ({
        say: toolResults(asked)
          .map(({ success }) => success)
          .join(', '),
      }),
    )
    const { conversation_id } = await house.chat('go')
    expect((await house.chat('нет', conversation_id)).message.content).toBe('false, true')
    expect(await house.titles()).toEqual(expect.arrayContaining(['Kept', 'Still added']))
  })

  it('T8 a stop ends all of them and says what was not done', async () => {
    const id = await addTask('Kept too')
    house.mock.script({ calls: [deletion(id), { name: 'add_task', args: { title: 'Never' } }] })
    const { conversation_id } = await house.chat('go')
    expect((await house.chat('stop', conversation_id)).message.content).toBe(
      `Stopped. Not done: delete task ${id}; add “Never”. What should I do instead?`,
    )
    expect(await house.titles()).toContain('Kept too')
  })

  it('T8 what was done is told when the model fails afterwards', async () => {
    const id = await addTask('Gone for sure')
    house.mock.script({ calls: [deletion(id)] }, { status: 401 })
    const { conversation_id } = await house.chat('go')
    const { message } = await house.chat('yes', conversation_id)
    expect(message.content).toContain(`Done so far: delete task ${id}.`)
    expect(await house.titles()).not.toContain('Gone for sure')
  })
})

describe('what is overwritten', () => {
  it('T8 happens, tells the old text, and “undo” takes it back', async () => {
    const id = await addTask('Buy milk', 'Two litres')
    const args = { task_id: id, title: 'Buy oat milk', description: 'One litre' }
    house.mock.script({ calls: [{ name: 'update_task', args }] }, { say: 'Changed.' })
    const { message, conversation_id } = await house.chat('oat milk instead')
    expect(message.content).toBe(
      `Changed.\n\nTask ${id} was “Buy milk” before. The description of task ${id} was “Two litres” before. Say “undo” to take it back.`,
    )
    expect(await house.titles()).toContain('Buy oat milk')
    const undone = await house.chat('undo', conversation_id)
    expect(undone.message.content).toContain(`task ${id} is “Buy milk” again`)
    expect(await house.titles()).toContain('Buy milk')
    expect(await house.titles()).not.toContain('Buy oat milk')
  })
})
