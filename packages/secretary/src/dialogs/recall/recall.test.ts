import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type DeedsHouse, deedsHouse } from '../../../../../test/support/deeds-house.ts'
import { line, noSignal } from '../../../../../test/support/dialogs-service.ts'
import { keepWorkedDialog } from '../../../../../test/support/worked-dialog.ts'
import { listRequests } from '../read-requests.ts'

async function recalled({ dialogs, caller }: DeedsHouse, budget = 1500) {
  const { value } = await dialogs.recall(caller, { budget }, noSignal)
  return value
}

describe('a recall of words and deeds', () => {
  it('says what was done for each request, how the tests ended and what is open', async () => {
    const house = deedsHouse()
    house.home.claude('cc-deeds.jsonl', house.home.sample('claude-code/deeds.jsonl'))
    const recall = await recalled(house)
    expect(recall?.firstRequest).toMatchObject({
      request: 'Greet people by name. Add a test for it.',
      done: 'changed greet.ts, greet.test.ts',
    })
    expect(recall?.latestRequests).toMatchObject([
      { index: 2, done: 'committed 1a2b3c4' },
      { index: 3, request: 'No', answers: 'Shall I push it?' },
      { index: 4, done: 'changed notes.md, greet.test.ts, interrupted' },
    ])
    expect(recall?.underWay).toEqual([
      'last test passed (npm test) at request 1',
      'request 4 was interrupted',
    ])
    expect(recall?.commands).toEqual(['npm test'])
  })

  it('keeps standing instructions word for word, and a bare reply with its question', async () => {
    const house = deedsHouse()
    const path = house.home.claude('a.jsonl', '')
    const about = { cwd: house.home.project, sessionId: 'a' }
    const said = (text: string) =>
      `${JSON.stringify({ ...about, type: 'assistant', message: { content: [{ type: 'text', text }], stop_reason: 'end_turn' } })}\n`
    appendFileSync(path, line('Build it. From now on never touch the payment form!', about))
    appendFileSync(path, said('I looked around.\nShall I begin with the tests?'))
    appendFileSync(path, line('yes', about))
    appendFileSync(path, said('Done.'))
    appendFileSync(path, line('Отныне всегда пиши тесты', about))
    const recall = await recalled(house)
    expect(recall?.standing).toEqual([
      'Отныне всегда пиши тесты',
      'From now on never touch the payment form!',
    ])
    expect(recall?.latestRequests).toMatchObject([
      { index: 2, request: 'yes', answers: 'Shall I begin with the tests?' },
      { index: 3 },
    ])
  })

  it('names a dialog and its requests by the heading of an approved plan, and says who wrote it', async () => {
    const house = deedsHouse()
    const about = { cwd: house.home.project, sessionId: 'a' }
    const log = Array.from({ length: 30 }, (_, step) => `[App] step ${step}`).join('\n')
    house.home.claude(
      'a.jsonl',
      line('Implement the following plan:\n\n# Plan: Sort the tasks\n\nLong text.', about) +
        line(`${log}\n\nwhy does it stop here?`, about) +
        line('Commit it', about),
    )
    const recall = await recalled(house)
    expect(recall).toMatchObject({
      title: 'Sort the tasks',
      firstRequest: { note: 'The person approved this plan; an agent wrote it.' },
    })
    expect(recall?.latestRequests?.map(({ note }) => note)).toEqual([undefined, undefined])
    const page = { sessionId: 'a', limit: 10, offset: 0 }
    const { value } = await listRequests(house.dialogs, house.caller, page, noSignal)
    expect(value?.requests.map(({ title }) => title)).toEqual([
      'Sort the tasks',
      'why does it stop here?',
      undefined,
    ])
  })

  it('tells a dialog that has just begun of the last one, even if only one thing was asked there', async () => {
    const house = deedsHouse()
    const about = (sessionId: string, time: string) => ({
      ...{ cwd: house.home.project, sessionId },
      timestamp: `2026-01-15T${time}Z`,
    })
    house.home.claude('a.jsonl', line('Paint the fence', about('a', '10:00:00')))
    house.home.claude('b.jsonl', line('Mow the lawn', about('b', '11:00:00')))
    const told = async (session: string) => {
      const dialogs = house.again({ session })
      const asked = { budget: 1500, isFresh: true }
      return (await dialogs.recall(house.caller, asked, noSignal)).value?.firstRequest?.request
    }
    expect(await told('not-written-yet')).toBe('Mow the lawn')
    // Some agents write down what is asked before they run their hooks.
    house.home.claude('c.jsonl', line('What did I ask last?', about('c', '12:00:00')))
    expect(await told('c')).toBe('Mow the lawn')
  })

  it('reports the last run whose outcome is proven, and that it ran again since', async () => {
    const house = deedsHouse()
    const test = 'npm test 2>&1 | tail -3'
    const turns = [
      { ask: 'Test it', acts: [{ run: test, output: 'Tests: 3 passed, 3 total' }], minutesAgo: 9 },
      { ask: 'Again', acts: [{ run: test, output: '...' }], minutesAgo: 5 },
      { ask: 'Lint it', acts: [{ run: 'npx eslint . | tail', output: '...' }], minutesAgo: 1 },
    ]
    keepWorkedDialog(house.home, 'a', turns, { lastAt: Date.parse('2026-01-15T10:00:00Z') })
    expect((await recalled(house))?.underWay).toEqual([
      `last test passed (npm test) at request 1, run again since with an unknown outcome`,
    ])
  })

  it('gives the commands of the project, not what looked at the machine', async () => {
    const house = deedsHouse()
    const commands = [
      'make dev',
      'python3 -c "print(1)"',
      'nc -z localhost 80',
      'brew services list',
      'cargo --version',
      '/usr/local/bin/thing list',
      'echo $(( 1 - 2 ))',
      'ssh-keygen-check run',
    ]
    const turns = commands.map((run) => ({ ask: run, acts: [{ run, output: '' }], minutesAgo: 1 }))
    keepWorkedDialog(house.home, 'a', turns, { lastAt: Date.parse('2026-01-15T10:00:00Z') })
    expect((await recalled(house))?.commands?.sort()).toEqual(['make dev', 'ssh-keygen-check run'])
  })

  it('names the project’s files that were edited or read last, and none that is gone', async () => {
    const house = deedsHouse()
    const { project } = house.home
    const calls = ['src/a.ts', 'src/gone.ts', 'src/b.ts', '../elsewhere.ts'].map((path, index) => ({
      type: 'assistant',
      message: {
        content: [
          {
            type: 'tool_use',
            id: `t${index}`,
            name: 'Read',
            input: { file_path: join(project, path) },
          },
        ],
      },
    }))
    const results = calls.map((_call, index) => ({
      type: 'user',
      message: { content: [{ type: 'tool_result', tool_use_id: `t${index}`, content: 'x' }] },
    }))
    const about = { cwd: project, sessionId: 'a', timestamp: '2026-01-15T10:00:00Z' }
    const records = [...calls, ...results].map((one) => JSON.stringify({ ...about, ...one }))
    house.home.claude('a.jsonl', `${line('Look around', about)}${records.join('\n')}\n`)
    for (const path of ['src/a.ts', 'src/b.ts']) house.home.write(join(project, path), '')
    expect((await recalled(house))?.files).toEqual(['src/b.ts', 'src/a.ts'])
  })
})
