import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { deedsHouse } from '../../../../test/support/deeds-house.ts'
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
