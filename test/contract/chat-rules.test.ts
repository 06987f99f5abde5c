import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { Reply } from '../support/chat-house.ts'
import { binary, isolatedEnvironment, startHttpServer } from '../support/mcp-client.ts'

describe('without a model', () => {
  const run = promisify(execFile)
  const say = async (message: string, home: Record<string, string>) =>
    (await run(process.execPath, [binary, 'chat', '--once', message], { env: home })).stdout

  it('T10 the rule-based agent does the work of every intent and says what it is', async () => {
    const home = isolatedEnvironment()
    expect(await say('add a task to buy milk', home)).toMatch(
      /Added task 1: “Buy milk”[\s\S]*No language model is configured/,
    )
    expect(await say('what is left?', home)).toContain('· 1  Buy milk')
    expect(await say('rename buy milk to Buy oat milk', home)).toContain('Changed task 1')
    expect(await say('I bought... mark oat milk as done', home)).toContain(
      "Task 'Buy oat milk' marked as complete",
    )
    expect(await say('mark oat milk as done', home)).toContain('already')
    expect(await say('delete task 1', home)).toContain('for good? Answer yes or no')
    expect(await say('add a task', home)).toContain('What should the task say?')
    expect(await say('Mark it as high priority', home)).toContain('Which task shall I change?')
    expect(await say('Mark oat milk as high priority', home)).toContain('(high priority)')
    expect(await say('Assign task 1 to Bob', home)).toContain('I cannot keep people')
  })

  it('T10 a yes carries out what was asked about, anything else does not', async () => {
    const home = isolatedEnvironment()
    const { stdout } = await run(
      process.execPath,
      [binary, 'call', 'add_task', '{"title":"Doomed"}'],
      { env: home },
    )
    expect(stdout).toContain('Doomed')
    const plain = await startHttpServer({ env: home })
    const post = async (body: object) =>
      (await (
        await fetch(`${plain.url}/api/v1/chat`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...plain.headers },
          body: JSON.stringify(body),
        })
      ).json()) as Reply
    const no = await post({ message: 'delete doomed' })
    await post({ message: 'no', conversation_id: no.conversation_id })
    await post({ message: 'yes', conversation_id: no.conversation_id })
    expect((await run(process.execPath, [binary, 'tasks'], { env: home })).stdout).toContain(
      'Doomed',
    )
    const yes = await post({ message: 'delete doomed' })
    expect(
      (await post({ message: 'Yes!', conversation_id: yes.conversation_id })).message.content,
    ).toMatch(/^Done: delete/)
    expect((await run(process.execPath, [binary, 'tasks'], { env: home })).stdout).not.toContain(
      'Doomed',
    )
    await plain.stop()
  })

  it('T10 a question takes the next message as its answer, in both languages', async () => {
    const home = isolatedEnvironment()
    const server = await startHttpServer({ env: home })
    const tell = conversationWith(server)
    expect(await tell('add a task')).toContain('What should the task say?')
    expect(await tell('Remove the old files')).toContain('Added task 1: “Remove the old files”.')
    expect(await tell('add a task to call Bob and add a task to call Ann')).toMatch(
      /Added task 2: “Call Bob”[\s\S]*Added task 3: “Call Ann”/,
    )
    expect(await tell('delete a task')).toContain('Which task shall I delete?')
    expect(await tell('the one about old files')).toContain('Delete task 1, “Remove the old files”')
    expect(await tell('hmm')).toMatch(/did not understand[\s\S]*Answer yes or no/)
    expect(await tell('Yes, delete it')).toContain('Done: deleted task 1, “Remove the old files”')
    expect(await tell('complete call')).toContain('Which one shall I complete?')
    expect(await tell('3')).toContain("Task 'Call Ann' marked as complete")
    expect(await tell('update task 2')).toContain('What should task 2, “Call Bob”, become?')
    expect(await tell('Call Bobby')).toMatch(/Changed task 2[\s\S]*was “Call Bob” before/)
    expect(await tell('undo')).toContain('“Call Bob” again')
    expect(await tell('Удали задачу 2 и добавь задачу купить хлеб')).toContain('“Call Bob”')
    expect(await tell('да')).toMatch(/удалена задача 2[\s\S]*Добавлена задача 4: “Купить хлеб”/)
    expect(await tell('Удали задачу 4')).toContain('Удалить навсегда: задача 4, “Купить хлеб”?')
    expect(await tell('нет')).toContain('Ничего не удалено и не изменено')
    expect(await tell('переименуй задачу 4 в Купить батон')).toMatch(
      /Задача 4 изменена: “Купить батон”[\s\S]*Раньше задача 4 называлась “Купить хлеб”/,
    )
    expect(await tell('отмени')).toContain('задача 4 снова “Купить хлеб”')
    expect(await tell('удали задачу 77')).toMatch(/Не нашлось задачи 77.*покажи мои задачи/)
    expect(await tell('delete task 99')).toMatch(/no task 99.*list my tasks/)
    await server.stop()
  })

  it('T10 the rank, the state and the labels of a task are changed, shown and taken back', async () => {
    const server = await startHttpServer({ env: isolatedEnvironment() })
    const tell = conversationWith(server)
    await tell('add a task to call Bob')
    expect(await tell('mark it as high priority')).toContain('· 1  Call Bob  (high priority)')
    expect(await tell('tag call Bob with work')).toContain('(high priority, #work)')
    expect(await tell('call Bob is blocked')).toContain('(blocked, high priority, #work)')
    expect(await tell('anything blocked?')).toContain('· 1  Call Bob')
    expect(await tell('undo')).toContain('task 1 is “Call Bob” again')
    expect(await tell('anything blocked?')).toContain('No open task is like that')
    expect(await tell('show task 1')).toContain('(high priority, #work)')
    await server.stop()
  })

  it('T10 every task at once, and a task by its place in the list', async () => {
    const home = isolatedEnvironment()
    const server = await startHttpServer({ env: home })
    const tell = conversationWith(server)
    await tell('add a task to call Bob and add a task to call Ann and add a task to call Eve')
    expect(await tell('complete the second task')).toContain("Task 'Call Ann' marked as complete")
    expect(await tell('mark everything as done')).toContain('Completed 2 tasks')
    expect(await tell('complete all tasks')).toContain('You have no open tasks')
    expect(await tell('reopen the last one')).toContain('“Call Eve” is open again')
    const question = await tell('delete all tasks')
    expect(question).toMatch(
      /1 {2}Call Bob[\s\S]*3 {2}Call Eve[\s\S]*Delete task 1[\s\S]*yes to all/,
    )
    expect(await tell('yes')).toMatch(/deleted task 1[\s\S]*Delete task 2/)
    expect(await tell('yes to all')).toMatch(/deleted task 2[\s\S]*deleted task 3/)
    expect(await tell('delete all tasks')).toContain('You have no tasks')
    await server.stop()
  })
})

/** Says one message after the other in one conversation. */
function conversationWith({ url, headers }: Awaited<ReturnType<typeof startHttpServer>>) {
  let conversation_id: string | undefined
  return async (message: string): Promise<string> => {
    const response = await fetch(`${url}/api/v1/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ message, conversation_id }),
    })
    const reply = (await response.json()) as Reply
    conversation_id = reply.conversation_id
    return reply.message.content
  }
}
