import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type DeedsHouse, deedsHouse } from '../../../../../test/support/deeds-house.ts'
import { noSignal } from '../../../../../test/support/dialogs-service.ts'
import type { LedgerArguments } from './ledger.ts'
import { clausesOf, endedRuns } from './ledger-entry.ts'

interface Step {
  readonly name: string
  readonly input: object
  readonly output?: string
  readonly isError?: boolean
}

interface Asked {
  readonly request?: string
  readonly steps?: readonly Step[]
  readonly says?: string
  readonly isInterrupted?: boolean
}

const LIST = 'Do both:\n- Greet people by name\n- Add a changelog entry about parrots'
const write = (path: string, content: string): Step => ({
  name: 'Write',
  input: { file_path: path, content },
})
const edit = (path: string, before: string, after: string): Step => ({
  name: 'Edit',
  input: { file_path: path, old_string: before, new_string: after },
})
const bash = (command: string, output = '', isError = false): Step => ({
  name: 'Bash',
  input: { command },
  output,
  isError,
})
const GREET = write('src/greet.ts', 'export function greet(name: string) {\n}\n')
const CHANGELOG = write('CHANGELOG.md', '# Changelog\n\nParrots are greeted too.\n')
const PASSES = bash('npm test', 'ok')
const FAILS = bash('npm test', 'Exit code 1\n1 failed', true)

/** A session with these requests, and the tree as their steps left it. */
function planted(turns: readonly Asked[], house = deedsHouse()): DeedsHouse {
  const { project } = house.home
  const said: object[] = []
  let id = 0
  for (const { request = LIST, steps = [], says = 'Done.', isInterrupted } of turns) {
    said.push({ type: 'user', message: { role: 'user', content: request } })
    for (const { name, input, output = 'ok', isError } of steps) {
      const { file_path: path, content } = input as { file_path?: string; content?: string }
      const call = path ? { ...input, file_path: join(project, path) } : input
      if (path && content !== undefined) house.home.write(join(project, path), content)
      const use = { type: 'tool_use', id: `t${++id}`, name, input: call }
      const result = {
        type: 'tool_result',
        tool_use_id: use.id,
        content: output,
        is_error: isError,
      }
      said.push(
        { type: 'assistant', message: { content: [use] } },
        { type: 'user', message: { role: 'user', content: [result] } },
      )
    }
    const text = isInterrupted ? '[Request interrupted by user]' : says
    said.push({
      type: isInterrupted ? 'user' : 'assistant',
      message: { content: [{ type: 'text', text }], stop_reason: 'end_turn' },
    })
  }
  const lines = said.map((one, at) => {
    const timestamp = new Date(Date.UTC(2026, 0, 15, 10, 0, at)).toISOString()
    return `${JSON.stringify({ cwd: project, sessionId: 'one', timestamp, ...one })}\n`
  })
  house.home.claude('one.jsonl', lines.join(''))
  return house
}

async function entries({ dialogs, caller }: DeedsHouse) {
  const wanted = { sessionId: 'one', limit: 10, offset: 0 }
  const { value } = await dialogs.deeds.ledger(caller, wanted, noSignal)
  return value?.entries ?? []
}

const entry = async (turn: Asked) => (await entries(planted([turn])))[0]
const states = async (turns: readonly Asked[], house?: DeedsHouse) =>
  (await entries(planted(turns, house))).map(({ state, against }) => [state, ...against].join(' '))

describe('the ledger', () => {
  it('is told page by page, and counts all that fit', async () => {
    const { home, dialogs, caller } = deedsHouse()
    home.claude('cc-deeds.jsonl', home.sample('claude-code/deeds.jsonl'))
    const page = async (asked: Partial<LedgerArguments>) => {
      const wanted = { sessionId: 'cc-deeds', limit: 10, offset: 0, ...asked }
      const { value } = await dialogs.deeds.ledger(caller, wanted, noSignal)
      return [value?.entries.map(({ index }) => index), value?.total, value?.more]
    }
    expect(await page({})).toEqual([[1, 2, 3, 4], 4, undefined])
    expect(await page({ limit: 1, offset: 1 })).toEqual([[2], 4, 'Call again with offset 2'])
    expect(await page({ limit: 2, offset: 2 })).toEqual([[3, 4], 4, undefined])
    expect(await page({ offset: 9 })).toEqual([[], 4, undefined])
    expect(await page({ index: 2 })).toEqual([[2], 1, undefined])
    expect(await page({ state: 'interrupted' })).toEqual([[4], 1, undefined])
  })

  it('has nothing to say against a request that was done, tested and still stands', async () => {
    expect(await entry({ steps: [GREET, CHANGELOG, PASSES] })).toMatchObject({
      index: 1,
      request: LIST,
      state: 'tested',
      against: [],
      files: [
        { path: 'src/greet.ts', plus: 2, minus: 0, standing: 1 },
        { path: 'CHANGELOG.md', plus: 3, minus: 0, standing: 1 },
      ],
      ended: ['test passed (npm test)'],
      clauses: [
        {
          clause: 'Greet people by name',
          evidence: [
            { file: 'src/greet.ts', words: ['greet', 'name'] },
            { file: 'CHANGELOG.md', words: ['greet'] },
          ],
        },
        {
          clause: 'Add a changelog entry about parrots',
          evidence: [{ file: 'CHANGELOG.md', words: ['changelog', 'parrots'] }],
        },
      ],
    })
  })

  it('shows an item of a list without evidence when nothing was done for it', async () => {
    const found = await entry({ steps: [GREET, PASSES] })
    expect(found?.against).toEqual([])
    expect(found?.clauses?.map(({ evidence }) => evidence.length)).toEqual([1, 0])
  })

  it('has clauses only for lists that the person typed', () => {
    expect(clausesOf('Greet people by name. Add a changelog entry.')).toEqual([])
    expect(clausesOf('1. Greet people\n2) Add a changelog')).toEqual([
      'Greet people',
      'Add a changelog',
    ])
    expect(clausesOf('- only one item')).toEqual([])
  })

  it('says failing of the request whose own last test failed, and of no other', async () => {
    const turns = [
      { steps: [GREET, PASSES] },
      { steps: [CHANGELOG, PASSES, FAILS] },
      { steps: [edit('src/greet.ts', 'a line that was', 'a line that is'), PASSES] },
    ]
    expect(await states(turns)).toEqual(['tested', 'changed failing', 'tested'])
  })

  it('says that an outcome is unknown where a pipe hides it', async () => {
    const piped = bash('npm test 2>&1 | tail -3', 'done')
    expect(await entry({ steps: [GREET, piped] })).toMatchObject({
      state: 'changed',
      against: [],
      ended: ['test unknown (npm test)'],
    })
  })

  it('never leaves out tests in favour of linters', () => {
    const lints = Array.from(
      { length: 9 },
      (_, at) => ({ kind: 'lint', command: `eslint ${at}` }) as const,
    )
    const ended = endedRuns([{ kind: 'test', command: 'npm test', outcome: 'failed' }, ...lints])
    expect(ended).toHaveLength(5)
    expect(ended[0]).toMatchObject({ kind: 'test', outcome: 'failed' })
  })

  it('says undone after a revert that is proven', async () => {
    const change = edit('src/greet.ts', 'const greeting = "hello"', 'const greeting = "good day"')
    const back = edit('src/greet.ts', 'const greeting = "good day"', 'const greeting = "hello"')
    expect(await states([{ steps: [change] }, { steps: [back] }])).toEqual([
      'changed undone',
      'changed',
    ])
    const restored = bash('git restore src/greet.ts')
    expect(await states([{ steps: [change] }, { steps: [restored] }])).toEqual([
      'changed undone',
      'worked_on',
    ])
    const unproven = bash('git restore src/greet.ts; ls', '')
    expect(await states([{ steps: [change] }, { steps: [unproven] }])).toEqual([
      'changed',
      'worked_on',
    ])
    const deleted = bash('rm src/greet.ts')
    expect(await states([{ steps: [GREET] }, { steps: [deleted] }])).toEqual([
      'changed undone',
      'changed',
    ])
    const commit = bash('git commit -am "feat: greet"', '[main 1a2b3c4] feat: greet')
    const reverted = bash('git revert --no-edit HEAD', '[main 2b3c4d5] Revert "feat: greet"')
    expect(await states([{ steps: [change, commit] }, { steps: [reverted] }])).toEqual([
      'committed undone',
      'worked_on',
    ])
  })

  it('says replaced, and by which request, when later changes took the place of its own', async () => {
    const change = edit('src/greet.ts', 'const greeting = "hello"', 'const greeting = "good day"')
    const other = edit(
      'src/greet.ts',
      'const greeting = "good day"',
      'const greeting = greetingFor(now)',
    )
    const found = await entries(planted([{ steps: [change] }, { steps: [other] }]))
    expect(found[0]).toMatchObject({ against: ['replaced'], replacedBy: 2 })
    expect(found[1]?.against).toEqual([])
  })

  it('says interrupted, and unanswered where the agent asked back', async () => {
    const steps = [GREET, CHANGELOG, PASSES]
    expect((await entry({ steps, isInterrupted: true }))?.against).toEqual(['interrupted'])
    expect((await entry({ steps, says: 'Shall I push it?' }))?.against).toEqual(['unanswered'])
  })

  it("says committed if the commit is proven to hold one of the request's files", async () => {
    const output = '[main 1a2b3c4] feat: greet\n 1 file changed, 2 insertions(+)'
    const named = bash('git add src/greet.ts && git commit -m "feat: greet"', output)
    expect(await entry({ steps: [GREET, named] })).toMatchObject({
      state: 'committed',
      commits: [{ sha: '1a2b3c4', subject: 'feat: greet' }],
    })
    const all = bash('git add -A && git commit -m x', output)
    const printed = bash('git commit -m x', `${output}\n create mode 100644 src/greet.ts`)
    const other = bash('git add CHANGELOG.md && git commit -m x', output)
    const tracked = bash('git commit -am x', output)
    const scratch = bash('cd /tmp/scratch && git init && git add -A && git commit -m x', output)
    const failed = bash('git add -A && git commit -m x', 'Exit code 1\nhook failed', true)
    const results = await Promise.all(
      [all, printed, other, tracked, scratch, failed].map((step) =>
        states([{ steps: [GREET, step] }]),
      ),
    )
    expect(results.flat()).toEqual([
      'committed',
      'committed',
      'changed',
      'changed',
      'changed',
      'changed',
    ])
    expect(await entry({})).toMatchObject({ state: 'asked', against: [] })
  })

  it('does not call a request committed because a later one was', async () => {
    const commit = bash(
      'git add CHANGELOG.md && git commit -m "docs: say it"',
      '[main 1a2b3c4] docs: say it',
    )
    const turns = [
      { request: 'Greet people, do not commit', steps: [GREET] },
      { request: 'Write the changelog and commit it', steps: [CHANGELOG, commit] },
      { request: 'commit', steps: [bash('git commit -am rest', '[main 2b3c4d5] rest')] },
    ]
    expect(await states(turns)).toEqual(['changed', 'committed', 'committed'])
  })

  it('keeps the subject of a commit that was amended, and shows it once', async () => {
    const steps = [
      GREET,
      bash('git add -A && git commit -m "feat: greet"', '[main 1a2b3c4] feat: greet'),
      bash('git commit --amend --no-edit -q'),
    ]
    const found = await entry({ steps })
    expect(found).toMatchObject({ state: 'committed', commits: [{ subject: 'feat: greet' }] })
    expect(found?.commits).toHaveLength(1)
  })
})
