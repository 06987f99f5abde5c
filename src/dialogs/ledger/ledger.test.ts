import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type DeedsHouse, deedsHouse } from '../../../test/support/deeds-house.ts'
import { noSignal } from '../../../test/support/dialogs-service.ts'
import type { LedgerArguments } from './ledger.ts'

interface Step {
  readonly id: string
  readonly name: string
  readonly input: object
  readonly output?: string
  readonly isError?: boolean
}

const REQUEST = 'Greet people by name. Add a changelog entry about parrots.'
const GREET: Step = {
  id: 't1',
  name: 'Write',
  input: { file_path: 'src/greet.ts', content: 'export function greet(name: string) {\n}\n' },
}
const CHANGELOG: Step = {
  id: 't2',
  name: 'Write',
  input: { file_path: 'CHANGELOG.md', content: '# Changelog\n\nParrots are greeted too.\n' },
}
const PASSES: Step = { id: 't3', name: 'Bash', input: { command: 'npm test' }, output: 'ok' }
const FAILS: Step = { ...PASSES, id: 't4', output: 'Exit code 1\n1 failed', isError: true }

/** A session with one request, and the tree as these steps left it. */
function planted(steps: readonly Step[], { interrupted = false, says = 'Done.' } = {}): DeedsHouse {
  const house = deedsHouse()
  const about = { cwd: house.home.project, sessionId: 'one', timestamp: '2026-01-15T10:00:00Z' }
  const said: object[] = [{ type: 'user', message: { role: 'user', content: REQUEST } }]
  for (const { id, name, input, output = 'ok', isError } of steps) {
    const { file_path: path, content } = input as { file_path?: string; content?: string }
    const call = path ? { ...input, file_path: join(house.home.project, path) } : input
    if (path) house.home.write(join(house.home.project, path), content ?? '')
    const result = { type: 'tool_result', tool_use_id: id, content: output, is_error: isError }
    said.push(
      { type: 'assistant', message: { content: [{ type: 'tool_use', id, name, input: call }] } },
      { type: 'user', message: { role: 'user', content: [result] } },
    )
  }
  const text = interrupted ? '[Request interrupted by user]' : says
  said.push({
    type: interrupted ? 'user' : 'assistant',
    message: { content: [{ type: 'text', text }], stop_reason: 'end_turn' },
  })
  const lines = said.map((one) => `${JSON.stringify({ ...about, ...one })}\n`)
  house.home.claude('one.jsonl', lines.join(''))
  return house
}

async function entry({ dialogs, caller }: DeedsHouse) {
  const { value } = await dialogs.deeds.ledger(caller, { limit: 10, offset: 0 }, noSignal)
  return value?.entries[0]
}

describe('the ledger', () => {
  it('is told page by page, and counts all that fit', async () => {
    const { home, dialogs, caller } = deedsHouse()
    home.claude('cc-deeds.jsonl', home.sample('claude-code/deeds.jsonl'))
    const page = async (asked: Partial<LedgerArguments>) => {
      const wanted = { sessionId: 'cc-deeds', limit: 10, offset: 0, ...asked }
      const { value } = await dialogs.deeds.ledger(caller, wanted, noSignal)
      return [value?.entries.map(({ index }) => index), value?.total, value?.more]
    }
    expect(await page({})).toEqual([[1, 2, 3], 3, undefined])
    expect(await page({ limit: 1, offset: 1 })).toEqual([[2], 3, 'Call again with offset 2'])
    expect(await page({ limit: 2, offset: 2 })).toEqual([[3], 3, undefined])
    expect(await page({ offset: 9 })).toEqual([[], 3, undefined])
    expect(await page({ index: 2 })).toEqual([[2], 1, undefined])
    expect(await page({ state: 'interrupted' })).toEqual([[3], 1, undefined])
  })

  it('has nothing to say against a request that was done, tested and still stands', async () => {
    expect(await entry(planted([GREET, CHANGELOG, PASSES]))).toMatchObject({
      index: 1,
      request: REQUEST,
      state: 'tested',
      against: [],
      files: [
        { path: 'src/greet.ts', plus: 2, minus: 0, standing: 1 },
        { path: 'CHANGELOG.md', plus: 3, minus: 0, standing: 1 },
      ],
      ended: ['test passed (npm test)'],
      clauses: [
        {
          clause: 'Greet people by name.',
          evidence: [
            { file: 'src/greet.ts', words: ['greet', 'name'] },
            { file: 'CHANGELOG.md', words: ['greet'] },
          ],
        },
        {
          clause: 'Add a changelog entry about parrots.',
          evidence: [{ file: 'CHANGELOG.md', words: ['changelog', 'parrots'] }],
        },
      ],
    })
  })

  it('shows a clause without evidence when nothing was done for it', async () => {
    const found = await entry(planted([GREET, PASSES]))
    expect(found?.against).toEqual([])
    expect(found?.clauses?.map(({ evidence }) => evidence.length)).toEqual([1, 0])
  })

  it('says failing after a failed last test', async () => {
    expect(await entry(planted([GREET, CHANGELOG, PASSES, FAILS]))).toMatchObject({
      state: 'changed',
      against: ['failing'],
    })
  })

  it('says undone when the lines are gone', async () => {
    const house = planted([GREET, CHANGELOG, PASSES])
    rmSync(join(house.home.project, 'src'), { recursive: true })
    rmSync(join(house.home.project, 'CHANGELOG.md'))
    expect((await entry(house))?.against).toEqual(['undone'])
  })

  it('says undone when only one of its files lost its lines', async () => {
    const house = planted([GREET, CHANGELOG, PASSES])
    house.home.write(join(house.home.project, 'src/greet.ts'), 'export const other = 1\n')
    const found = await entry(house)
    expect(found?.against).toEqual(['undone'])
    expect(found?.files.map(({ standing }) => standing)).toEqual([0, 1])
  })

  it('says interrupted, and unanswered where the agent asked back', async () => {
    const steps = [GREET, CHANGELOG, PASSES]
    expect((await entry(planted(steps, { interrupted: true })))?.against).toEqual(['interrupted'])
    expect((await entry(planted(steps, { says: 'Shall I push it?' })))?.against).toEqual([
      'unanswered',
    ])
  })

  it('says committed after a commit, and asked where nothing was done', async () => {
    const commit = {
      ...PASSES,
      id: 't5',
      input: { command: 'git commit -m "feat: greet"' },
      output: '[main 1a2b3c4] feat: greet',
    }
    expect(await entry(planted([GREET, CHANGELOG, commit]))).toMatchObject({
      state: 'committed',
      commits: ['1a2b3c4 feat: greet'],
    })
    expect(await entry(planted([]))).toMatchObject({ state: 'asked', against: [] })
  })
})
