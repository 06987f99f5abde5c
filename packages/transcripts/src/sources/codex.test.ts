import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { deedsHouse } from '../../../../test/support/deeds-house.ts'
import {
  type DialogsUnderTest,
  dialogsUnderTest,
  noSignal,
  requestsNow,
} from '../../../../test/support/dialogs-service.ts'

const json = (type: string, payload: object) =>
  `${JSON.stringify({ timestamp: '2026-06-01T08:00:00.000Z', type, payload })}\n`
const meta = (id: string, more: object = {}) => json('session_meta', { id, cwd: '/p', ...more })
const item = (...texts: string[]) =>
  json('response_item', {
    type: 'message',
    role: 'user',
    content: texts.map((text) => ({ type: 'input_text', text })),
  })
const event = (type: string, more: object = {}) => json('event_msg', { type, ...more })
const typed = (text: string) =>
  item(text) +
  event('item_completed', {
    item: { type: 'UserMessage', id: text, content: [{ type: 'text', text }, { type: 'image' }] },
  })
const answered = (text: string) =>
  event('item_completed', { item: { type: 'AgentMessage', content: [{ type: 'Text', text }] } })

const BASE = '0199aaaa-1111-7222-8333-000000000001'
const FORK = '0199aaaa-1111-7222-8333-000000000002'
const SEGMENT = '0199aaaa-1111-7222-8333-000000000003'

function write({ home }: DialogsUnderTest, name: string, ...lines: string[]): string {
  const path = home.path(
    '.codex',
    'sessions',
    '2026',
    '06',
    '01',
    `rollout-2026-06-01T${name}.jsonl`,
  )
  return home.write(path, lines.join(''))
}

async function requestsIn(...lines: string[]): Promise<unknown[]> {
  const under = dialogsUnderTest()
  write(under, `08-00-00-${BASE}`, meta(BASE), ...lines)
  return requestsNow(under, BASE)
}

async function turnsOf({ dialogs, caller }: DialogsUnderTest, id: string, from = 1, to = 99) {
  const dialog = await dialogs.require(caller, id, noSignal)
  const turns: unknown[] = []
  for await (const turn of dialogs.texts.turns(dialog, { from, to }))
    turns.push([turn.position, turn.request, turn.answer])
  return turns
}

describe('D12 what was typed in Codex', () => {
  it('counts in the newer records as in the older', async () => {
    expect(await requestsIn(typed('Sort the list'), typed('By name'))).toEqual([
      'Sort the list',
      'By name',
    ])
  })

  it('is not what the shell printed, what the program adds, or the frame of an image', async () => {
    expect(
      await requestsIn(
        item('<user_shell_command>\n<command>\nls\n</command>\n</user_shell_command>'),
        item('<codex_internal_context source="goal">\nGo on.\n</codex_internal_context>'),
        item('<image name=[Image #1]>', '</image>', 'What is this?'),
        item('# AGENTS.md instructions', '<environment_context>here</environment_context>'),
      ),
    ).toEqual(['What is this?'])
  })

  it('counts as a goal, once', async () => {
    const goal = (objective: string, tokensUsed: number) =>
      event('thread_goal_updated', { goal: { objective, tokensUsed, createdAt: 1 } })
    expect(
      await requestsIn(
        typed('Sort the list'),
        goal('Make all tests pass', 0),
        typed('Also on Windows'),
        goal('Make all tests pass', 90),
        goal('Make the linter pass', 100),
      ),
    ).toEqual(['Sort the list', 'Make all tests pass', 'Also on Windows', 'Make the linter pass'])
  })

  it('does not count after it was rolled back', async () => {
    expect(
      await requestsIn(
        typed('Sort the list'),
        typed('By nmae'),
        typed('A typo'),
        event('thread_rolled_back', { num_turns: 2 }),
        typed('By name'),
      ),
    ).toEqual(['Sort the list', 'By name'])
  })
})

describe('D12 a Codex thread that goes on from another', () => {
  const before = [meta(BASE), typed('Sort the list'), answered('Sorted.')].join('')
  const base = (thread: string) => ({
    history_base: { thread_id: thread, end_ordinal_exclusive: 9, end_byte_offset: before.length },
  })

  it('has what was asked before the fork in front', async () => {
    const under = dialogsUnderTest()
    write(under, `08-00-00-${BASE}`, before, typed('By size'), answered('By size.'))
    const fork = [
      meta(FORK, { forked_from_id: BASE, ...base(BASE) }),
      typed('By name'),
      answered('By name.'),
    ].join('')
    const path = write(under, `09-00-00-${FORK}`, fork)
    expect(await requestsNow(under, FORK)).toEqual(['Sort the list', 'By name'])
    expect(await requestsNow(under, BASE)).toEqual(['Sort the list', 'By size'])
    expect(await turnsOf(under, FORK)).toEqual([
      [1, 'Sort the list', 'Sorted.'],
      [2, 'By name', 'By name.'],
    ])
    expect(await turnsOf(under, FORK, 2, 2)).toEqual([[2, 'By name', 'By name.']])
    writeFileSync(path, fork + typed('And by date'))
    expect(await requestsNow(under, FORK)).toEqual(['Sort the list', 'By name', 'And by date'])
  })

  it('is one dialog after a rewind, though it has two files', async () => {
    const under = dialogsUnderTest()
    write(under, `08-00-00-${BASE}`, before, typed('By nmae'), answered('What?'))
    write(under, `09-00-00-${BASE}_${SEGMENT}`, meta(BASE, base(BASE)), typed('By name'))
    expect(await requestsNow(under, BASE)).toEqual(['Sort the list', 'By name'])
    const page = { everywhere: true, limit: 9, offset: 0 }
    const { value } = await under.dialogs.listDialogs(under.caller, page, noSignal)
    expect(value?.dialogs).toMatchObject([
      { sessionId: BASE, firstRequestPreview: 'Sort the list' },
    ])
  })

  it('is read as far as it goes where the other is gone', async () => {
    const under = dialogsUnderTest()
    write(under, `09-00-00-${FORK}`, meta(FORK, base(BASE)), typed('By name'))
    expect(await requestsNow(under, FORK)).toEqual(['By name'])
  })

  it('has what was done before the fork, for the request it was done for', async () => {
    const under = deedsHouse()
    const at = (time: string, line: string) =>
      line.replaceAll('2026-06-01T08:00:00', `2026-06-01T${time}`)
    const ran = (id: string, cmd: string) =>
      json('response_item', {
        type: 'function_call',
        name: 'exec_command',
        arguments: JSON.stringify({ cmd }),
        call_id: id,
      }) +
      json('response_item', {
        type: 'function_call_output',
        call_id: id,
        output: 'Process exited with code 0\nOutput:\n',
      })
    const first = [
      meta(BASE),
      at('08:01:00', typed('Sort the list')),
      at('08:02:00', ran('c1', 'npm test')),
      at('08:03:00', typed('Build it')),
      at('08:04:00', ran('c2', 'npm run build')),
    ].join('')
    write(under, `08-00-00-${BASE}`, first, at('08:05:00', ran('c3', 'npm run lint')))
    const history_base = {
      thread_id: BASE,
      end_ordinal_exclusive: 9,
      end_byte_offset: first.length,
    }
    write(
      under,
      `09-00-00-${FORK}`,
      at('09:00:00', meta(FORK, { forked_from_id: BASE, history_base })),
      at('09:01:00', typed('By name')),
      at('09:02:00', ran('c4', 'npm install')),
    )
    expect(await under.deedsOf(FORK)).toEqual([
      'command [test] npm test → 0',
      'command [build] npm run build → 0',
      'command [install] npm install → 0',
    ])
    const { dialogs, caller } = under
    const page = { sessionId: FORK, limit: 9, offset: 0 }
    const { value } = await dialogs.deeds.ledger(caller, page, noSignal)
    expect(value?.entries.map(({ request, ended }) => [request, ended])).toEqual([
      ['Sort the list', ['test passed (npm test)']],
      ['Build it', ['build passed (npm run build)']],
      ['By name', []],
    ])
  })
})

describe('an archived thread of Codex', () => {
  it('keeps every word, and says that it is archived', async () => {
    const under = dialogsUnderTest()
    const path = write(under, `08-00-00-${BASE}`, meta(BASE), typed('Sort the list'))
    expect(await requestsNow(under, BASE)).toEqual(['Sort the list'])
    const archived = under.home.path('.codex', 'archived_sessions', basename(path))
    mkdirSync(dirname(archived), { recursive: true })
    renameSync(path, archived)
    expect(await requestsNow(under, BASE)).toEqual(['Sort the list'])
    const page = { everywhere: true, limit: 9, offset: 0 }
    const list = async () => {
      under.dialogs.index.invalidate()
      return (await under.dialogs.listDialogs(under.caller, page, noSignal)).value?.dialogs
    }
    expect(await list()).toMatchObject([{ sessionId: BASE, archived: true }])
    renameSync(archived, path)
    expect((await list())?.map((dialog) => [dialog.sessionId, dialog.archived])).toEqual([
      [BASE, undefined],
    ])
  })
})
