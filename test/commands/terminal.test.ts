import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { textWidth } from '@secretary-mcp/secretary/cli/visible-text.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { AgentsHome } from '../support/agents-home.ts'
import { inTerminal } from '../support/in-terminal.ts'
import { binary, isolatedEnvironment } from '../support/mcp-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ESC = String.fromCharCode(27)
const LONG = 'Write a title that is far too long for a screen of sixty columns 🎉 whatever comes'
const WIDE = '日本語のとても長いタイトルはどこで切れるべきか、それは幅によって決まるのだが'

let home: AgentsHome
let env: Record<string, string>
const screen = (columns: number, ...args: string[]) => inTerminal(columns, env, ...args)
const piped = (args: string[], more: Record<string, string> = {}) => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [binary, ...args], {
    env: { ...env, ...more },
    cwd: home.project,
    encoding: 'utf8',
    input: '',
  })
  return { stdout, stderr, status }
}

beforeAll(() => {
  home = new AgentsHome(temporaryFolder())
  home.everything()
  const said = (id: string, text: string) => {
    const line = home.sample('claude-code/session.jsonl').replaceAll('cc-main', id)
    home.claude(`${id}.jsonl`, line.replaceAll('Let people log in with a passkey.', text))
  }
  said('feedc0de-0001-4000-8000-000000000001', `${'Some words before it. '.repeat(30)}A zebra!`)
  said('feedc0de-0002-4000-8000-000000000002', 'Paint the fence')
  env = isolatedEnvironment(home.env)
  mkdirSync(join(home.project, 'src'))
  writeFileSync(
    join(home.project, 'src', 'token.ts'),
    `export const refresh = 1\n\n${' '.repeat(90)}const late = refresh\n${'word '.repeat(30)}refresh\n`,
  )
  piped(['tasks', 'add', LONG])
  piped(['tasks', 'add', WIDE])
})

describe('lists on a screen', () => {
  it.each([
    ['tasks'],
    ['tasks', 'list', '--all'],
    ['dialogs', 'list', '--limit', '50'],
    ['dialogs', 'show', 'cc-main'],
    ['dialogs', 'search', 'passkey'],
    ['ledger', 'cc-main'],
    ['grep', 'refresh'],
    ['tools'],
    ['tools', '--tokens'],
    ['guide'],
    ['stats'],
    ['config'],
    ['token', 'list'],
    ['discoveries'],
  ])('%s %s fit 60 columns', (...args) => {
    for (const line of screen(60, ...args).lines)
      expect(textWidth(line), line).toBeLessThanOrEqual(60)
  })

  it('show more where there is more room', () => {
    const [narrow, wide] = [60, 120].map((columns) => screen(columns, 'stats').lines[0])
    expect(narrow).toMatch(/^TOOL +CALLS +SUCCESS .*ERRORS$/)
    expect(narrow).not.toContain('BY PAGE')
    expect(wide).toMatch(/^TOOL +CALLS +SUCCESS +P50 MS +P95 +P99 +LIMITED +BY PAGE +ERRORS$/)
  })

  it('end at a word where they are cut, and count wide characters as two', () => {
    const [long = '', wide = ''] = screen(60, 'tasks').lines
    expect(long).toBe('· 1  Write a title that is far too long for a screen of…')
    expect(wide).toMatch(/^· 2 {2}日本語のとても長いタイトル.*…$/)
    expect(textWidth(wide)).toBeGreaterThan(54)
  })

  it('are whole and plain on a pipe', () => {
    expect(piped(['tasks']).stdout).toBe(`· 1  ${LONG}\n· 2  ${WIDE}\n`)
  })
})

describe('colours', () => {
  it('are there on a screen, and gone where nobody wants them', () => {
    expect(screen(80, 'tasks').shown).toContain(`${ESC}[36m1${ESC}[39m`)
    expect(screen(80, 'tasks', '--help').shown).toContain(`${ESC}[1mUsage:`)
    expect(screen(80, '--no-color', 'tasks').shown).not.toContain(ESC)
    expect(screen(80, 'tasks', '--json').shown).not.toContain(ESC)
    for (const [name, value] of [
      ['NO_COLOR', '1'],
      ['FORCE_COLOR', '0'],
      ['TERM', 'dumb'],
    ] as const)
      expect(inTerminal(80, { ...env, [name]: value }, 'tasks').shown).not.toContain(ESC)
  })

  it('are forced onto a pipe by FORCE_COLOR alone, and never into JSON', () => {
    expect(piped(['tasks']).stdout).not.toContain(ESC)
    expect(piped(['tasks'], { FORCE_COLOR: '1' }).stdout).toContain(ESC)
    expect(piped(['tasks'], { FORCE_COLOR: '1', NO_COLOR: '1' }).stdout).not.toContain(ESC)
    expect(piped(['tasks', '--json'], { FORCE_COLOR: '1' }).stdout).not.toContain(ESC)
  })
})

describe('a hit', () => {
  const marked = (text: string) => `${ESC}[1m${ESC}[31m${text}${ESC}[39m${ESC}[22m`

  it('of grep is marked, and seen however far to the right it is', () => {
    const { shown, lines } = screen(60, 'grep', 'refr[e]sh')
    expect(shown).toContain(`const ${marked('refresh')} = 1`)
    expect(lines[1]).toBe('src/token.ts:3:104: const late = refresh')
    expect(lines[2]).toBe('src/token.ts:4:151: …word word word refresh')
  })

  it('of a search in dialogs shows the line with the words, however far down they are', () => {
    const { shown, status } = screen(80, 'dialogs', 'search', 'zebra')
    expect(shown).toContain(`A ${marked('zebra')}!`)
    expect(status).toBe(0)
    expect(piped(['dialogs', 'search', 'zebra']).stdout).toContain('A zebra!')
  })

  it('is not waited for where a pattern takes forever to mark', () => {
    writeFileSync(join(home.project, 'src', 'slow.txt'), `${'a'.repeat(60)}b\n`)
    expect(screen(80, 'grep', '(a+)+$|b').lines.join()).toContain('slow.txt:1')
  })
})

describe('ids by their beginning', () => {
  const second = 'feedc0de-0002-4000-8000-000000000002'

  it('are shown as short as they can be told apart on a screen, and whole on a pipe', () => {
    const { lines } = screen(120, 'dialogs')
    expect(lines.some((line) => line.includes(' feedc0de-0002  '))).toBe(true)
    expect(piped(['dialogs']).stdout).toContain(second)
  })

  it('open, hand over, resume and export a dialog', () => {
    expect(piped(['dialogs', 'show', 'feedc0de-0002']).stdout).toContain('Paint the fence')
    expect(piped(['dialogs', 'export', 'feedc0de-0002']).stdout).toContain('Paint the fence')
    expect(piped(['handoff', 'feedc0de-0002']).stdout).toContain('Paint the fence')
    expect(piped(['ledger', 'feedc0de-0002']).stdout).toContain('Paint the fence')
    expect(piped(['resume', 'feedc0de-0002', '--print']).stdout).toContain(second)
  })

  it.each(['dialogs show', 'dialogs export', 'handoff', 'ledger', 'resume', 'forget'])(
    '%s names the dialogs that an ambiguous one could mean, and does nothing',
    (command) => {
      const { status, stdout, stderr } = piped([...command.split(' '), 'feedc0de'])
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
      expect(stderr).toBe(
        `feedc0de is the beginning of 2 ids; type more of the one you mean:\n  feedc0de-0001-4000-8000-000000000001\n  ${second}\n`,
      )
    },
  )

  it.each(['dialogs show', 'dialogs export', 'handoff', 'ledger', 'resume', 'forget'])(
    '%s says where to look for a dialog that is not there',
    (command) => {
      expect(piped([...command.split(' '), 'nowhere'])).toEqual({
        status: 1,
        stdout: '',
        stderr: 'Session not found: nowhere\n  `secretary dialogs list --everywhere` lists them\n',
      })
    },
  )

  it('revoke a token and show a discovery', () => {
    const { id } = JSON.parse(piped(['token', 'create', '--json']).stdout)
    expect(piped(['token', 'revoke', id.slice(0, 5)]).stdout).toBe(`Token ${id} is revoked\n`)
    expect(piped(['token', 'revoke', id.slice(0, 5)]).status).toBe(2)
    piped(['discoveries', 'add', 'rule', 'Fences', 'are', 'painted', 'white'])
    const [line = ''] = screen(80, 'discoveries').lines
    const [, short = ''] = line.split(' ')
    expect(short).toHaveLength(8)
    expect(piped(['discoveries', 'show', short]).stdout).toContain('Fences are painted white\n')
    expect(piped(['discoveries', 'show', 'nowhere'])).toMatchObject({ status: 1, stdout: '' })
  })

  it('forget the one that is meant', () => {
    expect(piped(['forget', 'feedc0de-0002', '--yes']).stdout).toBe('Forgot 1 dialog.\n')
    expect(piped(['dialogs', 'show', second]).status).toBe(1)
    expect(piped(['dialogs', 'show', 'feedc0de']).stdout).toContain('Some words before it')
  })
})

describe('tasks on the command line', () => {
  it('are edited, completed and opened again', () => {
    expect(piped(['tasks', 'edit', '1', '--title', 'Short', '--description', 'Now'])).toMatchObject(
      { status: 0, stdout: 'Task updated successfully\n' },
    )
    expect(piped(['tasks', 'edit', '1'])).toMatchObject({ status: 2, stdout: '' })
    piped(['tasks', 'done', '1'])
    expect(piped(['tasks']).stdout).not.toContain('Short')
    expect(piped(['tasks', 'reopen', '1']).stdout).toBe('Reopened · 1  Short\n')
    expect(piped(['tasks']).stdout).toContain('· 1  Short')
    expect(piped(['tasks', 'reopen', '99'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Task not found'),
    })
    expect(piped(['tasks', 'reopen', '1', '--title', 'x']).status).toBe(2)
  })
})

describe('exit codes', () => {
  it.each([
    [0, ['grep', 'refresh']],
    [1, ['grep', 'nowhere in here']],
    [1, ['grep', 'nowhere in here', '--json']],
    [2, ['grep', '((']],
    [1, ['search', 'xyzzyplughfrobozz']],
    [1, ['dialogs', 'search', 'kubernetes']],
    [0, ['dialogs', 'list', '--source', 'droid']],
    [2, ['dialogs', 'show', 'c']],
    [1, ['dialogs', 'show', 'nowhere']],
  ])('%d for %j', (status, args) => {
    expect(piped(args).status).toBe(status)
  })

  it('are told in the help', () => {
    const { stdout } = piped(['--help'])
    expect(stdout).toMatch(/Exit codes:\n {2}0 {2}success\n {2}1 {2}failure.*nothing found\n {2}2/)
  })
})

it('handoff does not hand over a dialog that there is not', () => {
  const { status, stdout } = piped(['handoff'], isolatedEnvironment())
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
})

it('an empty home says what to do, in every list', () => {
  const empty = isolatedEnvironment()
  for (const args of [['stats'], ['tasks'], ['dialogs'], ['discoveries'], ['token', 'list']]) {
    const { lines, status } = inTerminal(60, empty, ...args)
    expect(status, args.join(' ')).toBe(0)
    expect(lines, args.join(' ')).toHaveLength(1)
    expect(lines[0]?.length, args.join(' ')).toBeGreaterThan(10)
  }
  const [none] = inTerminal(40, empty, 'dialogs').lines
  expect(none).toBe('No dialogs in this project yet. --everywhere lists all projects.')
  expect(existsSync(join(empty.SECRETARY_HOME ?? '', 'secretary.db'))).toBe(true)
})
