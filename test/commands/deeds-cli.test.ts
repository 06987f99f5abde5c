import { spawnSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { AgentsHome } from '../support/agents-home.ts'
import { binary, isolatedEnvironment } from '../support/mcp-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const FIRST = 'Greet people by name. Add a test for it.'

describe('deeds on the command line', () => {
  let home: AgentsHome
  const secretary = (args: string[], env: Record<string, string> = {}) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [binary, ...args], {
      env: isolatedEnvironment({ ...home.env, ...env }),
      encoding: 'utf8',
      input: '',
    })
    return { stdout, stderr, status }
  }

  beforeAll(() => {
    home = new AgentsHome(temporaryFolder())
    home.claude('cc-deeds.jsonl', home.sample('claude-code/deeds.jsonl'))
    home.write(
      join(home.project, 'src/greet.ts'),
      `export function greet(name: string) {\n  return \`Hello, \${name}\`\n}\n`,
    )
    home.write(join(home.project, 'src/other.ts'), 'export const other = compute(42)\n')
  })

  it('why names the request of a line, and says where nothing is known', () => {
    expect(secretary(['why', 'src/greet.ts:2'])).toMatchObject({
      status: 0,
      stdout: `2  2026-01-15 10:00  claude-code cc-deeds #1 (exact)\n    ${FIRST}\n`,
    })
    expect(secretary(['why', 'src/greet.ts:1-3']).stdout).toMatch(/^1–3 {2}/)
    expect(secretary(['why', 'src/other.ts:1']).stdout).toMatch(/^1 {2}no request is known/)
    expect(secretary(['why', 'src/none.ts:1'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('File not found: src/none.ts'),
    })
    expect(secretary(['why', 'src/greet.ts'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('src/a.ts:10'),
    })
    expect(JSON.parse(secretary(['why', 'src/greet.ts:2', '--json']).stdout)).toMatchObject({
      requests: [{ index: 1, request: FIRST }],
    })
  })

  it('ledger tells what became of each request', () => {
    const { stdout } = secretary(['ledger', 'cc-deeds'])
    expect(stdout).toMatch(/^1\. committed.* Greet people by name/m)
    expect(stdout).toMatch(/^ {4}src\/greet\.ts \+\d+ -\d+/m)
    expect(stdout).toMatch(/^4\. .*interrupted.* Remove the greeting again/m)
    const failing = secretary(['ledger', '--state', 'interrupted']).stdout
    expect(failing.split('\n').filter((line) => /^\d+\./.test(line))).toHaveLength(1)
    expect(secretary(['ledger', '--state', 'lovely'])).toMatchObject({ status: 2 })
  })

  it('how and fix take text that begins with dashes', () => {
    for (const args of [['--- FAIL: TestX'], ['--', '--- FAIL: TestX']]) {
      expect(secretary(['fix', ...args])).toMatchObject({
        status: 0,
        stdout: 'This error has not been fixed in this project before.\n',
      })
      expect(secretary(['how', ...args])).toMatchObject({ status: 0, stdout: 'Nothing known.\n' })
    }
  })

  it('how and fix tell from commands and how they ended', () => {
    expect(secretary(['how', 'run', 'the', 'tests']).stdout).toBe(
      'npm test  passed 1, failed 1, last 2026-01-15 10:00\n',
    )
    expect(secretary(['fix', 'ReferenceError:', 'it', 'is', 'not', 'defined']).stdout).toMatch(
      /^2026-01-15 10:00 {2}npm test {2}changed greet\.test\.ts \+1 {2}\(cc-deeds #1\)$/m,
    )
    expect(secretary(['how', 'fly']).stdout).not.toContain('passed')
  })

  it('handoff prints a prompt alone on standard output, and how to start the agent beside it', () => {
    const { stdout, stderr, status } = secretary(['handoff', 'cc-deeds', '--to', 'codex'])
    expect(status).toBe(0)
    expect(stdout).toContain(FIRST)
    expect(stdout).toContain('changed greet.ts, greet.test.ts')
    expect(stdout).not.toContain('$(')
    expect(stderr).toContain('codex "$(secretary handoff cc-deeds)"')
    expect(secretary(['handoff', '--to', 'nobody'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--to must be one of'),
    })
    const [small, large] = ['200', '3000'].map(
      (budget) => secretary(['handoff', 'cc-deeds', '--budget', budget]).stdout.length,
    )
    expect(small).toBeLessThanOrEqual(large ?? 0)
  })

  it('resume starts the dialog’s own agent in its project', () => {
    expect(secretary(['resume', 'cc-deeds', '--print']).stdout).toBe('claude --resume cc-deeds\n')
    const bin = home.path('bin')
    const agent = home.write(join(bin, 'claude'), '#!/bin/sh\necho "$PWD: $*"\nexit 3\n')
    chmodSync(agent, 0o755)
    const path = [bin, process.env.PATH].join(delimiter)
    expect(secretary(['resume', 'cc-deeds'], { PATH: path })).toMatchObject({
      status: 3,
      stdout: `${home.project}: --resume cc-deeds\n`,
    })
    expect(secretary(['resume', 'none']).stderr).toContain('Session not found: none')
  })
})
