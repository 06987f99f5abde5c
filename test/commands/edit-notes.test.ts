import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { estimateTokens } from '@secretary-mcp/core/token-estimate.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { AgentsHome } from '../support/agents-home.ts'
import { binary, isolatedEnvironment } from '../support/mcp-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe('what is told before an edit', () => {
  let env: Record<string, string>
  let project: string
  let inHome: (path: string) => string
  const secretary = (args: string[], input = '') =>
    spawnSync(process.execPath, [binary, ...args], { env, cwd: project, encoding: 'utf8', input })
  const beforeEdit = (session: string, file = join(project, 'src/greet.ts')) =>
    secretary(
      ['edit-notes', '--hook'],
      JSON.stringify({ session_id: session, cwd: project, tool_input: { file_path: file } }),
    ).stdout
  const told = (stdout: string) => JSON.parse(stdout).hookSpecificOutput

  beforeEach(() => {
    const home = new AgentsHome(temporaryFolder())
    inHome = (path) => home.path(path)
    project = home.project
    const wishes = Array.from(
      { length: 60 },
      (_, at) => `From now on never use the word number ${at} in it.`,
    )
    const sample = home
      .sample('claude-code/deeds.jsonl')
      .replace('Add a test for it.', `From now on keep the greeting short. ${wishes.join(' ')}`)
    home.claude('cc-deeds.jsonl', sample)
    home.write(join(project, 'src/greet.ts'), 'export const greet = 1\n')
    env = isolatedEnvironment({ ...home.env, SECRETARY_EDIT_NOTES: 'on' })
  })

  it('is what was asked for in another dialog, in at most 300 tokens, and nothing twice', () => {
    const { hookEventName, additionalContext } = told(beforeEdit('new'))
    expect(hookEventName).toBe('PreToolUse')
    expect(additionalContext).toContain('- From now on keep the greeting short.')
    expect(estimateTokens(additionalContext)).toBeLessThanOrEqual(300)
    const second = told(beforeEdit('new')).additionalContext
    expect(second).not.toContain('From now on keep the greeting short.')
    expect(told(beforeEdit('another')).additionalContext).toBe(additionalContext)
  })

  it('is what was decided about the file, before what was asked for', () => {
    const about = { type: 'decision', content: 'Greetings are cached because they are slow.' }
    const call = (args: object) => secretary(['call', 'record_discovery', JSON.stringify(args)])
    expect(call({ ...about, files: ['src/greet.ts'] }).status).toBe(0)
    expect(call({ type: 'decision', content: 'Prices are in cents.' }).status).toBe(0)
    const { additionalContext } = told(beforeEdit('new'))
    expect(additionalContext).toMatch(
      /:\n- Greetings are cached because they are slow\.\n- From now on/,
    )
    expect(additionalContext).not.toContain('cents')
  })

  it('is nothing for the dialog that said it, for other files, and where it is off', () => {
    expect(beforeEdit('cc-deeds')).toBe('')
    expect(beforeEdit('new', join(project, 'src/other.ts'))).toBe('')
    expect(beforeEdit('new', '/etc/hosts')).toBe('')
    env.SECRETARY_EDIT_NOTES = 'off'
    expect(beforeEdit('new')).toBe('')
  })

  it('is shown to a person who asks, and names what is missing', () => {
    expect(secretary(['edit-notes', 'src/greet.ts']).stdout).toContain('keep the greeting short')
    expect(secretary(['edit-notes', 'src/other.ts']).stdout).toContain('Nothing is known')
  })

  it.each([
    [
      'a patch in a command',
      'tool_input',
      (patch: string) => ({ command: `apply_patch <<E\n${patch}` }),
    ],
    ['a patch alone', 'toolArgs', (patch: string) => patch],
    ['a path', 'toolArgs', () => ({ path: join(project, 'src/greet.ts') })],
  ])('finds the file in %s', (_, key, input) => {
    const patch = `*** Begin Patch\n*** Update File: ${join(project, 'src/greet.ts')}\n@@\n-a\n+b`
    const about = JSON.stringify({ sessionId: 'new', cwd: project, [key]: input(patch) })
    const answer = JSON.parse(
      secretary(['edit-notes', '--hook', '--form', 'copilot'], about).stdout,
    )
    expect(answer.additionalContext).toContain('- From now on keep the greeting short.')
    expect(answer.additionalContext).toBe(answer.hookSpecificOutput.additionalContext)
    const command = JSON.stringify({ session_id: 'x', cwd: project, tool_input: { command: 'ls' } })
    expect(secretary(['edit-notes', '--hook'], command).stdout).toBe('')
  })

  it.each([
    ['claude-code', '.claude/settings.json'],
    ['codex', '.codex/hooks.json'],
    ['copilot-cli', '.copilot/hooks/secretary.json'],
    ['opencode', '.config/opencode/plugins/secretary.js'],
    ['cline-cli', '.cline/plugins/secretary.js'],
  ])('comes with init for %s only where it is switched on, and goes with it', (id, file) => {
    const settings = inHome(file)
    secretary(['init', '--client', id, '--yes', '--edit-notes', 'off'])
    expect(readFileSync(settings, 'utf8')).toContain('recall')
    expect(readFileSync(settings, 'utf8')).not.toContain('edit-notes')
    secretary(['init', '--client', id, '--yes'])
    expect(readFileSync(settings, 'utf8')).toContain('recall')
    expect(readFileSync(settings, 'utf8')).toContain('edit-notes')
    secretary(['init', '--undo'])
    expect(existsSync(settings)).toBe(false)
  })
})
