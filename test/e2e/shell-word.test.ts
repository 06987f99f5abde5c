import { execFileSync } from 'node:child_process'
import { shellWord, startCommand } from '@secretary-mcp/secretary/dialogs/handoff/agent-commands.ts'
import { expect, it } from 'vitest'

it.each(['019a-b.c', "it's $(touch owned)", '-rf', 'a b; echo x', '`id`'])(
  'a shell takes %s for one word',
  (id) => {
    const said = execFileSync('sh', ['-c', `printf '<%s>' ${shellWord(id)}`], { encoding: 'utf8' })
    expect(said).toBe(`<${id}>`)
  },
)

it('runs nothing that stands in an id', () => {
  expect(startCommand('codex', 'a; echo x')).toBe(`codex "$(secretary handoff 'a; echo x')"`)
  expect(startCommand('codex', undefined)).toBe('codex "$(secretary handoff)"')
})
