import { spawnSync } from 'node:child_process'
import { beforeAll, describe, expect, it } from 'vitest'
import { AgentsHome } from '../support/agents-home.ts'
import { binary, isolatedEnvironment } from '../support/mcp-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { keepWorkedDialog } from '../support/worked-dialog.ts'

const LONG = `Show prices with two decimals, ${'and keep the words of a long request whole on a pipe, '.repeat(6)}please.`
const DAY_MS = 86_400_000

describe('dialogs of one project on the command line', () => {
  let home: AgentsHome
  const secretary = (...args: string[]) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [binary, ...args], {
      env: isolatedEnvironment(home.env),
      encoding: 'utf8',
      input: '',
    })
    return { stdout, stderr, status }
  }

  beforeAll(() => {
    home = new AgentsHome(temporaryFolder())
    const now = Date.now()
    const keep = (name: string, daysAgo: number, asks: readonly string[], isDone: boolean) =>
      keepWorkedDialog(
        home,
        name,
        asks.map((ask, at) => ({
          ask,
          minutesAgo: asks.length - at,
          acts: isDone ? [] : [{ write: `${name}.ts`, text: 'export const one = 1\n' }],
          says: 'Done.',
        })),
        { lastAt: now - daysAgo * DAY_MS },
      )
    keep('aaaa-new', 1, ['Fix the tests', 'Rename the cart'], false)
    keep('bbbb-alike', 2, ['Fix the tests', 'Drop the old cart'], true)
    keep('cccc-long', 3, [LONG], true)
    keep('dddd-old', 30, ['Write the very first line'], false)
  })

  it('ledger --since reports the requests of all dialogs since then, the latest first', () => {
    const { stdout, status } = secretary('ledger', '--since', '7d')
    expect(status).toBe(0)
    const asked = stdout.split('\n').filter((line) => /^\d+\. /.test(line))
    expect(asked[0]).toContain('Rename the cart')
    expect(asked).toHaveLength(5)
    expect(stdout).not.toContain('the very first line')
    expect(secretary('ledger', '--since', '90d').stdout).toContain('the very first line')
    expect(JSON.parse(secretary('ledger', '--since', '7d', '--json').stdout)).toMatchObject({
      total: 5,
      requests: expect.arrayContaining([expect.objectContaining({ sessionId: 'cccc-long' })]),
    })
  })

  it('ledger --open leaves out what is finished, and a time that is none is refused', () => {
    const open = secretary('ledger', '--open').stdout
    expect(open).toContain('Rename the cart')
    expect(open).not.toContain('Drop the old cart')
    expect(secretary('ledger', '--since', 'soon')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('try 7d'),
    })
    expect(secretary('ledger', 'aaaa', '--open').status).toBe(2)
  })

  it('dialogs that begin alike are told apart by what was asked last', () => {
    const { stdout } = secretary('dialogs')
    expect(stdout).toMatch(/Fix the tests.*Rename the cart/)
    expect(stdout).toMatch(/Fix the tests.*Drop the old cart/)
  })

  it('a pipe gets requests whole', () => {
    expect(secretary('dialogs', 'show', 'cccc-long').stdout).toContain(LONG)
  })

  it('a task is found by its words, and several are named', () => {
    for (const title of ['Buy milk', 'Call Ann', 'Call Bob']) secretary('tasks', 'add', title)
    expect(secretary('tasks', 'done', 'milk')).toMatchObject({
      status: 0,
      stdout: "Task 'Buy milk' marked as complete\n",
    })
    expect(secretary('tasks', 'reopen', 'buy', 'milk').stdout).toContain('Reopened')
    expect(secretary('tasks', 'edit', 'milk', '--title', 'Buy oat milk').status).toBe(0)
    expect(secretary('tasks', 'done', 'call')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/2 {2}Call Ann[\s\S]*3 {2}Call Bob/),
    })
    expect(secretary('tasks', 'done', 'holiday')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('secretary tasks --all'),
    })
    expect(secretary('tasks', 'delete', 'ann', '--yes').status).toBe(0)
    expect(secretary('tasks', 'done', '3').status).toBe(0)
  })

  it('chat --json answers as the API does', () => {
    const { stdout } = secretary('chat', '--once', 'add a task to sweep the floor', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      message: { content: expect.stringContaining('Sweep the floor'), sender: 'ai' },
      context: { action_taken: 'add_task', conversation_created: true },
    })
    expect(secretary('chat', '--json').status).toBe(2)
  })
})
