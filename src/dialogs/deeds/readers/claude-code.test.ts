import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { deedsHouse } from '../../../../test/support/deeds-house.ts'

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
      'question Shall I push it? → 0 | User has answered your questions: "Shall I push it?"="No"',
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
