import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AgentsHome } from '../support/agents-home.ts'
import { binary, isolatedEnvironment } from '../support/mcp-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const DAY_MS = 86_400_000

function machine() {
  const home = new AgentsHome(temporaryFolder())
  const secretary = (args: string[], env: Record<string, string> = {}) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [binary, ...args], {
      env: isolatedEnvironment({ ...home.env, ...env }),
      encoding: 'utf8',
      input: '',
    })
    return { stdout, stderr, status }
  }
  return { home, secretary }
}

/** The files below a folder that hold a word, whatever else they are. */
function holding(folder: string, word: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const path = join(folder, name)
    return statSync(path).isFile() && readFileSync(path).includes(word)
  })
}

const asked = (text: string, cwd: string) =>
  `${JSON.stringify({ type: 'user', cwd, timestamp: '2026-01-15T10:00:00Z', message: { content: text } })}\n`

describe('what an agent cleaned up', () => {
  it('is still listed, shown and exported, and cannot be resumed', () => {
    const { home, secretary } = machine()
    const path = home.claude()
    const then = new Date(Date.now() - 40 * DAY_MS)
    utimesSync(path, then, then)
    expect(secretary(['dialogs']).stdout).toContain('cc-main')
    rmSync(path)
    expect(secretary(['dialogs']).stdout).toMatch(/cc-main .*\(file gone\)/)
    expect(secretary(['dialogs', 'show', 'cc-main']).stdout).toContain('Let people log in')
    expect(secretary(['dialogs', 'export', 'cc-main']).stdout).toContain('> Passkeys work now')
    expect(secretary(['resume', 'cc-main'])).toMatchObject({
      status: 2,
      stderr:
        'claude-code has deleted the file of this dialog; use `secretary handoff cc-main` to go on with it\n',
    })
    expect(secretary(['dialogs'], { SECRETARY_KEEP_DAYS: '0' }).stdout).toContain('No dialogs')
  })
})

describe('secretary forget', () => {
  it('asks first, then leaves no word of the dialog in anything that is stored', () => {
    const { home, secretary } = machine()
    home.claude('a.jsonl', asked('We decided to paint the zebrafinch aquamarine', home.project))
    home.claude('b.jsonl', asked('Keep the hummingbird', home.project))
    secretary(['dialogs', 'search', 'aquamarine'])
    secretary(['search', 'aquamarine'])
    const stored = home.path('.secretary')
    expect(holding(stored, 'zebrafinch').length).toBeGreaterThan(0)
    expect(secretary(['forget', 'a'])).toMatchObject({
      status: 2,
      stderr:
        '1 dialog would be forgotten, which cannot be undone. Nothing was changed: add --yes to confirm.\n',
    })
    expect(secretary(['forget', 'a', '--yes'])).toMatchObject({
      status: 0,
      stdout: 'Forgot 1 dialog.\n',
    })
    expect(holding(stored, 'zebrafinch')).toEqual([])
    expect(secretary(['dialogs', 'search', 'aquamarine']).stdout).toBe('Nothing found.\n')
    expect(secretary(['dialogs', 'show', 'a']).stderr).toContain('Session not found: a')
    expect(secretary(['dialogs']).stdout).toContain('hummingbird')
    expect(holding(stored, 'zebrafinch')).toEqual([])
    expect(holding(home.path('.claude'), 'zebrafinch')).toHaveLength(1)
  })

  it('takes the project or a date, says what it lacks, and forgets nothing else', () => {
    const { home, secretary } = machine()
    home.claude('a.jsonl', asked('one', home.project))
    home.claude('b.jsonl', asked('two', '/somewhere/else'))
    expect(secretary(['forget'])).toMatchObject({
      status: 2,
      stderr: 'Name a session, or use --project or --before DATE\n',
    })
    expect(secretary(['forget', '--before', 'soon', '--yes']).stderr).toContain('must be a date')
    expect(secretary(['forget', '--before', '2026-01-01', '--yes']).stdout).toBe(
      'There is nothing to forget.\n',
    )
    expect(secretary(['forget', '--project', '--yes']).stdout).toBe('Forgot 1 dialog.\n')
    expect(secretary(['dialogs', '--everywhere']).stdout).toMatch(/ b +two/)
    expect(secretary(['forget', '--before', '2026-02-01', '--yes']).stdout).toBe(
      'Forgot 1 dialog.\n',
    )
    expect(secretary(['dialogs', '--everywhere']).stdout).toContain('No dialogs')
  })
})
