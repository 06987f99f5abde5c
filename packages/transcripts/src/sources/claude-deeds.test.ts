import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { deedsHouse } from '../../../../test/support/deeds-house.ts'
import { noSignal } from '../../../../test/support/dialogs-service.ts'
import { claudeDeeds } from './claude-code.ts'

describe('deeds of Claude Code', () => {
  it('are read from a session and its helper’s file', async () => {
    const house = deedsHouse()
    house.home.claude('cc-deeds.jsonl', house.home.sample('claude-code/deeds.jsonl'))
    house.home.write(
      join(house.home.claudeFolder(), 'cc-deeds', 'subagents', 'agent-a1b2.jsonl'),
      house.home.sample('claude-code/deeds-helper.jsonl'),
    )
    expect(await house.deedsOf('cc-deeds')).toEqual([
      'read src/greet.ts',
      'change src/greet.ts +2 -2',
      'create src/greet.test.ts +5 -0',
      'command [test] npm test → 1 | Tests: 1 failed',
      'change src/greet.test.ts +1 -0',
      'command [test] npm test → 0',
      'helper Write docs/greet.md',
      'helper: create docs/greet.md +3 -0',
      'command [git] git add -A && git commit -m "feat: greet by name" → 0',
      'commit feat: greet by name | 1a2b3c4',
      'question Shall I push it? | User has answered your questions: "Shall I push it?"="No"',
      "command [other] rm src/greet.test.ts && cat > notes.md <<'EOF'\nThe greeting is gone for good.\nEOF → 0",
      'create notes.md +1 -0',
      'delete src/greet.test.ts',
      'interrupt',
    ])
  })

  it('are the same when the file grows a piece at a time', async () => {
    const whole = deedsHouse()
    whole.home.claude('cc-deeds.jsonl', whole.home.sample('claude-code/deeds.jsonl'))
    const wanted = await whole.deedsOf('cc-deeds')
    const house = deedsHouse()
    const path = house.home.claude('cc-deeds.jsonl', '')
    const lines = house.home.sample('claude-code/deeds.jsonl').trimEnd().split('\n')
    let seen: string[] = []
    for (const line of lines) {
      appendFileSync(path, `${line}\n`)
      seen = await house.deedsOf('cc-deeds')
    }
    expect(seen).toEqual(wanted)
  })

  it('are read anew when the file was rewritten', async () => {
    const house = deedsHouse()
    const sample = house.home.sample('claude-code/deeds.jsonl')
    const path = house.home.claude('cc-deeds.jsonl', sample)
    await house.deedsOf('cc-deeds')
    writeFileSync(path, sample.split('\n').slice(0, 5).join('\n').replace('u0', 'rewritten'))
    expect(await house.deedsOf('cc-deeds')).toEqual([
      'read src/greet.ts',
      'change src/greet.ts +2 -2',
    ])
  })
})

describe('a look at a file in Claude Code', () => {
  const look = (id: string, input: object) => ({ type: 'tool_use', id, name: 'Read', input })
  const assistant = (...content: object[]) => ({
    type: 'assistant',
    message: { role: 'assistant', content },
    timestamp: '2026-06-01T08:00:01.000Z',
  })
  const result = (tool_use_id: string) => ({
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id, content: 'x' }] },
    timestamp: '2026-06-01T08:00:02.000Z',
  })

  it.each([
    ['plain', [assistant(look('a', { file_path: 'src/a.ts' }))], ['read src/a.ts']],
    [
      'of a part',
      [assistant(look('a', { file_path: 'src/a.ts', offset: 10, limit: 20 }))],
      ['read src/a.ts'],
    ],
    [
      'with its options first',
      [assistant(look('a', { limit: 20, file_path: 'src/a.ts' }))],
      ['read src/a.ts'],
    ],
    [
      'beside another',
      [assistant(look('a', { file_path: 'a.ts' }), look('b', { file_path: 'b.ts' }))],
      ['read a.ts', 'read b.ts'],
    ],
    [
      'beside words that look like one',
      [
        assistant(
          { type: 'text', text: JSON.stringify(look('z', { file_path: 'z.ts' })) },
          look('a', { file_path: 'a.ts' }),
        ),
      ],
      ['read a.ts'],
    ],
    [
      'in another script, and with signs that are escaped',
      [
        assistant(look('a', { file_path: 'д/й.ts' })),
        assistant(look('b', { file_path: 'a"b.ts' })),
      ],
      ['read д/й.ts', 'read a"b.ts'],
    ],
    ['of a folder', [assistant(look('a', { file_path: 'src' }))], []],
  ])('is seen: %s', async (_form, records, deeds) => {
    const house = deedsHouse()
    const asked = { type: 'user', message: { role: 'user', content: 'Look' } }
    house.home.claude(
      'look.jsonl',
      [asked, ...records, result('a'), result('b')]
        .map((record) => `${JSON.stringify({ sessionId: 'look', uuid: 'u', ...record })}\n`)
        .join(''),
    )
    expect(await house.deedsOf('look')).toEqual(deeds)
  })

  it('is told without being parsed as it is told when it is', () => {
    const record = assistant(look('a', { file_path: 'src/a.ts', offset: 10 }))
    const told = claudeDeeds.glance(Buffer.from(JSON.stringify(record)), new Map())
    expect(told).toEqual(claudeDeeds.read(record))
    expect(told).toHaveLength(1)
  })
})

describe('work of Claude Code beside a queue', () => {
  let seconds = 0
  const record = (fields: object) => {
    seconds++
    return `${JSON.stringify({ timestamp: new Date(1.77e12 + seconds * 1000).toISOString(), ...fields })}\n`
  }
  const typed = (content: string) => record({ type: 'user', message: { content } })
  const queue = (operation: string, content?: string, reason?: string) =>
    record({ type: 'queue-operation', operation, content, reason })
  const queued = (prompt: string) =>
    record({ type: 'attachment', attachment: { type: 'queued_command', prompt } })
  const begins = (file: string) =>
    record({
      type: 'assistant',
      message: {
        content: [
          {
            type: 'tool_use',
            id: `t-${file}`,
            name: 'Write',
            input: { file_path: `/w/${file}`, content: `this is ${file}\n` },
          },
        ],
      },
    })
  const ends = (file: string) =>
    record({
      type: 'user',
      message: { content: [{ type: 'tool_result', tool_use_id: `t-${file}`, content: 'ok' }] },
      toolUseResult: { type: 'create' },
    })
  const writes = (file: string) => begins(file) + ends(file)

  /** Each request with the files that were written for it. */
  async function workIn(...lines: string[]): Promise<Record<string, string[]>> {
    const { home, dialogs, caller } = deedsHouse()
    home.claude('a.jsonl', lines.join(''))
    const { value } = await dialogs.deeds.ledger(
      caller,
      { sessionId: 'a', limit: 20, offset: 0 },
      noSignal,
    )
    return Object.fromEntries(
      (value?.entries ?? []).map(({ request, files }) => [
        request,
        files.map(({ path }) => path.slice(3)),
      ]),
    )
  }

  it('belongs to the request before until the agent was given what was queued', async () => {
    expect(
      await workIn(
        typed('Sort it'),
        begins('one.ts'),
        queue('enqueue', 'by name'),
        ends('one.ts'),
        writes('two.ts'),
        queue('enqueue', 'and by date'),
        writes('three.ts'),
        queue('remove'),
        queue('remove'),
        writes('four.ts'),
      ),
    ).toEqual({
      'Sort it': ['one.ts', 'two.ts', 'three.ts'],
      'by name': [],
      'and by date': ['four.ts'],
    })
  })

  it('belongs to each of two that were given one after the other, in either form', async () => {
    expect(
      await workIn(
        typed('Sort it'),
        queue('enqueue', 'by name'),
        queue('enqueue', 'and by date'),
        writes('one.ts'),
        queue('remove', 'by name', 'absorbed_mid_turn'),
        queued('by name'),
        writes('two.ts'),
        queue('dequeue'),
        typed('and by date'),
        writes('three.ts'),
      ),
    ).toEqual({ 'Sort it': ['one.ts'], 'by name': ['two.ts'], 'and by date': ['three.ts'] })
  })

  it('is not touched by what was queued and withdrawn', async () => {
    expect(
      await workIn(
        typed('Sort it'),
        queue('enqueue', 'by nmae'),
        queue('enqueue', 'and by date'),
        writes('one.ts'),
        queue('popAll', 'by nmae\nand by date'),
        writes('two.ts'),
        queue('enqueue', 'by name'),
        queue('remove'),
        writes('three.ts'),
      ),
    ).toEqual({ 'Sort it': ['one.ts', 'two.ts'], 'by name': ['three.ts'] })
  })
})
