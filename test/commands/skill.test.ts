import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { AgentsHome } from '../support/agents-home.ts'
import { binary, isolatedEnvironment } from '../support/mcp-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const skill = readFileSync(new URL('../../skills/secretary/SKILL.md', import.meta.url), 'utf8')
const commands = [...skill.matchAll(/`secretary ([^`]+)`/g)].map(([, command = '']) => command)
const taught = commands.filter((command) => !command.startsWith('call TOOL'))

describe('the skill', () => {
  let env: Record<string, string>
  const secretary = (line: string) =>
    spawnSync('/bin/sh', ['-c', `"${process.execPath}" "${binary}" ${line}`], {
      env,
      encoding: 'utf8',
    })

  beforeAll(() => {
    const home = new AgentsHome(temporaryFolder())
    home.claude('cc-deeds.jsonl', home.sample('claude-code/deeds.jsonl'))
    home.write(join(home.project, 'src/greet.ts'), 'export const greet = 1\n')
    env = isolatedEnvironment(home.env)
  })

  it('teaches more than a few commands', () => expect(taught.length).toBeGreaterThan(7))

  it.each(taught)('teaches a command that works: %s', (command) => {
    const { status, stdout, stderr } = secretary(
      command.replace('PATH:LINE', 'src/greet.ts:1').replace('what you look for', 'greet'),
    )
    expect(status, stderr).toBe(0)
    expect(stdout).not.toBe('')
  })

  it('names every tool, and a wrong call says what is expected', () => {
    const listed = [...skill.matchAll(/^- `(\w+)`: /gm)].map(([, name]) => name)
    const { stdout } = secretary('tools --json')
    expect(listed).toEqual(JSON.parse(stdout).map(({ name }: { name: string }) => name))
    expect(secretary("call add_task '{}'").stdout).toContain('title')
  })
})
