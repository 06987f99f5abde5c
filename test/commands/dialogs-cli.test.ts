import { spawnSync } from 'node:child_process'
import { beforeAll, describe, expect, it } from 'vitest'
import { AgentsHome } from '../support/agents-home.ts'
import { binary, isolatedEnvironment } from '../support/mcp-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe('dialogs on the command line', () => {
  let home: AgentsHome
  const secretary = (args: string[], input?: string) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [binary, ...args], {
      env: isolatedEnvironment(home.env),
      encoding: 'utf8',
      input: input ?? '',
    })
    return { stdout, stderr, status }
  }

  beforeAll(() => {
    home = new AgentsHome(temporaryFolder())
    home.everything()
  })

  it('lists, shows and searches', () => {
    expect(secretary(['dialogs', '--limit', '50']).stdout).toMatch(
      /claude-code\s+4\s+cc-main\s+Login by passkey/,
    )
    expect(
      JSON.parse(secretary(['dialogs', 'list', '--source', 'codex', '--json']).stdout),
    ).toMatchObject({ total: 2 })
    expect(secretary(['dialogs', 'show', 'vs-log']).stdout).toContain(
      'Now make the contrast higher',
    )
    expect(secretary(['dialogs', 'search', 'dark', 'theme']).stdout.split('\n')[0]).toContain(
      'vs-log',
    )
    expect(secretary(['dialogs', 'search', 'kubernetes']).stdout).toBe('Nothing found.\n')
  })

  it('shows times by the person’s own clock, and says where to look for a session that is not there', () => {
    const { stdout } = spawnSync(process.execPath, [binary, 'dialogs', 'show', 'cc-main'], {
      env: isolatedEnvironment({ ...home.env, TZ: 'Asia/Tokyo' }),
      encoding: 'utf8',
    })
    expect(stdout).toMatch(/^1 {2}2026-01-15 19:00 {2}Let people log in/)
    expect(secretary(['dialogs', 'show', 'nowhere'])).toMatchObject({
      status: 1,
      stderr: 'Session not found: nowhere\n  `secretary dialogs list --everywhere` lists them\n',
    })
  })

  it('exports a dialog as Markdown and as JSON', () => {
    const markdown = secretary(['dialogs', 'export', 'cc-main']).stdout
    expect(markdown).toContain('# Login by passkey')
    expect(markdown).toContain('> Passkeys work now; the password form is untouched.')
    const { dialog, turns } = JSON.parse(
      secretary(['dialogs', 'export', 'ses_1', '--format', 'json']).stdout,
    )
    expect(dialog).toMatchObject({ sessionId: 'ses_1', source: 'opencode' })
    expect(turns).toHaveLength(2)
  })

  it('recalls in plain text, and in a hook’s form for the session that the hook names', () => {
    expect(secretary(['recall', '--session', 'cc-main']).stdout).toContain(
      '## First request\n> Let people log in with a passkey.',
    )
    const told = JSON.stringify({
      session_id: 'vs-log',
      cwd: home.project,
      hook_event_name: 'SessionStart',
      source: 'compact',
    })
    const { hookSpecificOutput } = JSON.parse(secretary(['recall', '--hook'], told).stdout)
    expect(hookSpecificOutput.hookEventName).toBe('SessionStart')
    expect(hookSpecificOutput.additionalContext).toContain(
      'Add a dark theme to the settings page, please',
    )
    expect(secretary(['stats']).stdout).toMatch(/recall hook +1/)
  })

  it('tells a new session that what it hears of is an earlier dialog', () => {
    const told = (session_id: string) =>
      JSON.stringify({ session_id, cwd: home.project, source: 'startup' })
    const text = (session: string) =>
      JSON.parse(secretary(['recall', '--hook'], told(session)).stdout).hookSpecificOutput
        .additionalContext
    expect(text('not begun')).toMatch(/^# What the person asked in an earlier dialog \(/m)
    expect(text('not begun')).toContain('This dialog is new.')
    expect(text('vs-log')).not.toContain('earlier')
  })

  it('never stands in the way of a session, whatever a hook sends', () => {
    for (const input of ['', 'no json', '{"session_id":5,"cwd":null}', '{"cwd":"/nowhere"}']) {
      const { status, stdout } = secretary(['recall', '--hook'], input)
      expect(status).toBe(0)
      if (stdout !== '') expect(JSON.parse(stdout)).toHaveProperty('hookSpecificOutput')
    }
  })

  it('shows what makes an agent recall by itself', () => {
    const claude = JSON.parse(secretary(['hook', 'claude-code', '--json']).stdout)
    expect(claude.hooks.SessionStart[0].matcher).toBe('startup|resume|compact')
    expect(claude.hooks.SessionStart[0].hooks[0].command).toContain(
      'recall --hook --project "$CLAUDE_PROJECT_DIR"',
    )
    expect(secretary(['hook', 'codex']).stdout).toContain('.codex/hooks.json')
    expect(secretary(['hook', 'copilot-cli']).stdout).toContain('.github/hooks/secretary.json')
  })

  it.each([
    [['hook', 'constructor'], 2],
    [['dialogs', 'list', '--limit', 'x'], 2],
    [['dialogs', 'list', '--source', 'nobody'], 2],
    [['dialogs', 'export', 'cc-main', '--format', 'pdf'], 2],
    [['dialogs', 'export', 'none'], 1],
    [['recall', '--budget', '-5'], 2],
    [['recall', '--budget', '5'], 2],
  ])('%j ends with %d and says why in a line', (args, status) => {
    const outcome = secretary(args)
    expect(outcome.status).toBe(status)
    expect(outcome.stderr.trim()).not.toBe('')
    expect(outcome.stderr).not.toContain('    at ')
  })
})
