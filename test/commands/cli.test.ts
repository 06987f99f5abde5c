import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { TokenCost } from '@secretary-mcp/core/token-cost.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { binary, isolatedEnvironment } from '../support/mcp-client.ts'

let env: Record<string, string>
const run = (...args: string[]) => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [binary, ...args], {
    env,
    cwd: env.SECRETARY_PROJECT,
    encoding: 'utf8',
    input: '',
  })
  return { stdout, stderr, status }
}
const inProject = (...parts: string[]) => join(env.SECRETARY_PROJECT ?? '', ...parts)
const inHome = (...parts: string[]) => join(env.HOME ?? '', ...parts)
/** Where VS Code keeps a person's own settings. */
const inCode = (...parts: string[]) => inHome('.config', 'Code', 'User', ...parts)
const SHORT = ['--descriptions', 'compact', '--tools', 'core']

beforeEach(() => {
  env = isolatedEnvironment()
})

describe('the command line', () => {
  it('exits 0 when done, 1 when a tool failed, 2 when asked wrongly', () => {
    expect(run('call', 'add_task', '{"title":"x"}').status).toBe(0)
    expect(run('call', 'complete_task', '{"task_id":99}')).toMatchObject({
      status: 1,
      stdout: '{"success":false,"error":"Task not found"}\n',
    })
    for (const args of [
      ['nonsense'],
      ['call', 'nope'],
      ['call', 'add_task', '{broken'],
      ['--port', 'x', 'config'],
      ['tasks', 'done'],
      ['token', 'revoke', 'x'],
      ['hook', 'x'],
    ]) {
      const { status, stdout, stderr } = run(...args)
      expect(status, args.join(' ')).toBe(2)
      expect(stdout, args.join(' ')).toBe('')
      expect(stderr, args.join(' ')).not.toMatch(/ at .*:\d+:\d+/)
    }
  })

  it('says what to do next where something was asked wrongly', () => {
    run('tasks', 'add', 'Doomed')
    expect(run('tasks', 'rm', '99', '--yes')).toMatchObject({
      status: 1,
      stderr: 'Task not found\n  `secretary tasks --all` lists the tasks\n',
    })
    expect(run('tasks', 'nonsense', '1').stderr).toContain(
      'secretary tasks --help lists its commands',
    )
    expect(run('grep', '((').stderr).toBe('Invalid regex pattern\n  ((\n')
    expect(run('search', 'ab')).toMatchObject({
      status: 2,
      stderr: 'query must be at least 3 characters\n',
    })
    expect(run('grep', 'x', '--limit', 'many').stderr).toBe('limit must be a number\n')
    expect(run('--families', 'tasks', 'grep', 'x').stderr).toContain('SECRETARY_FAMILIES')
    const asked = run('chat', '--once', 'delete doomed')
    const [, conversation = ''] = /--conversation (\S+) --once yes/.exec(asked.stderr) ?? []
    expect(run('chat', '--conversation', conversation, '--once', 'yes').stdout).toContain(
      'Done: delete',
    )
    expect(run('tasks').stdout).not.toContain('Doomed')
  })

  it('asks before it destroys, and on a pipe refuses without --yes', () => {
    run('tasks', 'add', 'keep', 'me')
    expect(run('call', 'delete_task', '{"task_id":1}')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Nothing was changed'),
    })
    expect(run('tasks', 'delete', '1')).toMatchObject({
      status: 2,
      stderr:
        'secretary tasks delete cannot be undone. Nothing was changed: add --yes to confirm.\n',
    })
    expect(run('tasks').stdout).toContain('keep me')
    expect(run('call', 'delete_task', '{"task_id":1}', '--yes').status).toBe(0)
    run('tasks', 'add', 'and', 'me')
    expect(run('tasks', 'delete', '2', '--yes')).toMatchObject({
      status: 0,
      stdout: 'Task deleted successfully\n',
    })
  })

  it('takes flags, help and checks from the definition of a tool', () => {
    const { stdout } = run('grep', '--help')
    expect(stdout).toContain('fast text search across codebase using regex\n')
    expect(stdout).toMatch(
      /--limit <number> +maximum number of matches to return \(default:\s+50\)/,
    )
    expect(stdout).toContain("secretary grep 'interface.*Context' --files 'src/**/*.ts' --limit 20")
    run('tasks', 'add', 'Write', 'it', 'down', '--description', 'in full')
    expect(run('tasks', 'update', '1', '--title', 'Written').stdout).toBe(
      'Task updated successfully\n',
    )
    expect(run('tasks', 'update', '1')).toMatchObject({ status: 2 })
    run('tasks', 'plan', '1', '--state', 'blocked', '--priority', 'high', '--labels', 'docs', 'api')
    expect(run('tasks').stdout).toBe('· 1  Written blocked high #docs #api\n')
    run('tasks', 'add', 'Another')
    run('tasks', 'done', '2')
    run('tasks', 'plan', '1', '--labels', 'new', '--lists', 'add')
    expect(run('tasks', 'list', '--state', 'blocked').stdout).toMatch(/Written.* #api #new\n$/)
    expect(run('tasks', 'list', '--state', 'done').stdout).toBe('✓ 2  Another\n')
    expect(run('tasks', 'list', '--state', 'doing').stdout).toMatch(/^No tasks found/)
    expect(run('tasks', 'list', '--state', 'later')).toMatchObject({ status: 2 })
    expect(JSON.parse(run('tasks', 'list', '--limit', '1', '--json').stdout)).toMatchObject({
      data: { tasks: [{ title: 'Written', description: 'in full' }] },
    })
  })

  it('prints JSON where asked, without colours on a pipe', () => {
    run('tasks', 'add', 'one')
    expect(JSON.parse(run('tasks', '--json').stdout)).toMatchObject({ data: { total: 1 } })
    expect(JSON.parse(run('tools', '--json').stdout)).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'add_task' })]),
    )
    expect(JSON.parse(run('stats', '--json').stdout)).toEqual(
      expect.arrayContaining([expect.objectContaining({ tool: 'add_task', calls: 1 })]),
    )
    expect(JSON.parse(run('doctor', '--json').stdout)).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'database', state: 'ok' })]),
    )
    expect(run('doctor').stdout).not.toContain('\u001b')
  })

  it('says for every setting where it comes from, and hides secrets', () => {
    env.SECRETARY_MODEL_KEY = 'sk-very-secret'
    const { stdout } = run('--log-level', 'error', 'config', '--json')
    const settings = JSON.parse(stdout) as { name: string; value: unknown; source: string }[]
    expect(settings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'logLevel', value: 'error', source: 'flag' }),
        expect.objectContaining({ name: 'user', value: 'ada', source: 'environment' }),
        expect.objectContaining({ name: 'port', value: 7077, source: 'default' }),
      ]),
    )
    expect(stdout).not.toContain('sk-very-secret')
  })

  it('lists everything that is wrong with the configuration at once', () => {
    const { status, stderr } = run('--port', '99999', '--log-level', 'loud', 'doctor')
    expect(status).toBe(2)
    expect(stderr).toContain('--port')
    expect(stderr).toContain('--log-level')
  })

  it('shows what each tool costs in tokens, as the documentation says', () => {
    const costs: TokenCost[] = JSON.parse(run('tools', '--tokens', '--json').stdout)
    const { full, compact } = costs.find(({ name }) => name === 'list_tasks') as TokenCost
    const page = readFileSync(new URL('../../docs/tools.md', import.meta.url), 'utf8')
    const [, section] = page.split('`list_tasks`\n')
    expect(section).toContain(`Tokens: ${full} full, ${compact} compact.`)
  })

  it('says in our own words what a setting must be', () => {
    mkdirSync(env.SECRETARY_HOME ?? '', { recursive: true })
    writeFileSync(
      join(env.SECRETARY_HOME ?? '', 'config.json'),
      '\uFEFF{"model":5,"port":"abc","logLevel":"loud"}',
    )
    const { status, stderr } = run('--families', 'tasks,gide', 'tools')
    expect(status).toBe(2)
    expect(stderr).toContain('port in the configuration file must be a number')
    expect(stderr).toContain('model in the configuration file must be a string')
    expect(stderr).toContain('logLevel in the configuration file must be "trace" or')
    expect(stderr).toContain('--families: may contain all, tasks, guide, context, dialogs')
    expect(stderr).not.toMatch(/Invalid|expected/)
  })

  it('does not pass over a configuration file that cannot be read', () => {
    mkdirSync(join(env.SECRETARY_HOME ?? '', 'config.json'), { recursive: true })
    expect(run('tasks')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('config.json: cannot be read'),
    })
  })

  it('takes ~ for the home folder, as in the settings of a client, and does without HOME', () => {
    const homeOf = () =>
      JSON.parse(run('config', '--json').stdout).find(
        ({ name }: { name: string }) => name === 'home',
      ).value
    env.SECRETARY_HOME = '~/deep/er'
    expect(homeOf()).toBe(join(env.HOME ?? '', 'deep', 'er'))
    env.HOME = ''
    env.SECRETARY_HOME = ''
    expect(homeOf()).toBe(join(userInfo().homedir, '.secretary'))
  })

  it('lists tasks with and without the word', () => {
    run('tasks', 'add', 'one')
    expect(run('tasks', 'list')).toEqual(run('tasks'))
    expect(JSON.parse(run('tasks', 'list', '--all', '--json').stdout)).toMatchObject({
      data: { total: 1 },
    })
  })

  it.each([['grep', 'x'], ['tasks'], ['dialogs'], ['recall'], ['mcp'], ['discoveries']])(
    'a project folder that does not exist is a usage error of %s',
    (...command) => {
      const folder = inProject('nowhere')
      expect(run('--project', folder, ...command)).toMatchObject({
        status: 2,
        stdout: '',
        stderr: `--project: ${folder} is not a folder\n`,
      })
    },
  )

  it('doctor names the agents that are here, and with --verbose where it looked', () => {
    mkdirSync(inHome('.codex'))
    const { stdout } = run('doctor')
    expect(stdout).toContain(`Codex: found; ${inHome('.codex/config.toml')} has no entry`)
    expect(stdout).toContain('`secretary init --client codex` shows what to add')
    expect(stdout).toMatch(/other agents: not on this machine: .*Cursor/)
    expect(stdout).toContain('dialogs: none found on this machine yet\n')
    expect(stdout).not.toContain(inHome('.cursor'))
    const { stdout: all } = run('doctor', '--verbose')
    for (const place of ['.cursor', '.claude/projects'])
      expect(all).toContain(`searched ${inHome(place)}`)
  })

  it('doctor starts what an agent’s file starts, if it is ours, and runs its hook', () => {
    mkdirSync(inHome('.claude'))
    run('init', '--client', 'claude-code', '--yes')
    const connected = 'Claude Code: connected: 14 tools; its hook runs'
    expect(run('doctor').stdout).toContain(connected)
    const settings = inHome('.claude/settings.json')
    const hooks = readFileSync(settings, 'utf8')
    writeFileSync(settings, hooks.replaceAll('recall --hook', 'recall --hooks'))
    expect(run('doctor').stdout).not.toContain('its hook runs')
  })

  it('doctor fails if what ours starts does not answer', () => {
    mkdirSync(inHome('.codex'))
    run('init', '--client', 'codex', '--yes')
    const options = join(inHome(), 'broken.mjs')
    writeFileSync(options, 'if (process.argv.includes("mcp")) { console.log("hello") }\n')
    env.NODE_OPTIONS = `--import=${options}`
    const { status, stdout } = run('doctor')
    expect(stdout).toContain('starts Secretary, but it prints more than the protocol')
    expect(status).toBe(1)
  })

  it('doctor --fix builds the index', () => {
    writeFileSync(inProject('greet.ts'), 'export const greet = 1\n')
    expect(run('doctor').stdout).toContain('search index: nothing is indexed yet')
    const { stdout, stderr } = run('doctor', '--fix')
    expect(stderr).toContain('search index: indexed 1 files')
    expect(stdout).toContain('✓ search index: 1 files')
  })

  it('doctor says what is damaged and how to fix it', () => {
    mkdirSync(env.SECRETARY_HOME ?? '', { recursive: true })
    writeFileSync(join(env.SECRETARY_HOME ?? '', 'secretary.db'), 'damaged'.repeat(1000))
    expect(run('doctor')).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('restore a backup'),
    })
  })
})

describe('secretary init', () => {
  it('shows what it would write, and writes nothing unasked', () => {
    const { stdout } = run('init', '--client', 'vscode')
    expect(stdout).toContain('"servers"')
    expect(existsSync(inCode('mcp.json'))).toBe(false)
  })

  it('adds to a file and keeps what is there', () => {
    mkdirSync(inCode(), { recursive: true })
    writeFileSync(
      inCode('mcp.json'),
      '{\n    "servers": { "other": { "command": "x" } },\n    "inputs": []\n}\n',
    )
    expect(run('init', '--client', 'vscode', '--yes').status).toBe(0)
    const written = readFileSync(inCode('mcp.json'), 'utf8')
    expect(JSON.parse(written)).toMatchObject({
      servers: {
        other: { command: 'x' },
        secretary: {
          type: 'stdio',
          command: process.execPath,
          // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code fills it in
          args: [binary, 'mcp', ...SHORT, '--project', '${workspaceFolder}'],
        },
      },
      inputs: [],
    })
    expect(run('init', '--client', 'vscode', '--yes').stdout).toContain('nothing was changed')
    expect(readFileSync(inCode('mcp.json'), 'utf8')).toBe(written)
  })

  it('offers Claude Code the hook that recalls after a compaction, beside the hooks that are there', () => {
    mkdirSync(inHome('.claude'))
    writeFileSync(
      inHome('.claude', 'settings.json'),
      '{"hooks":{"SessionStart":[{"matcher":"mine"}],"Stop":[]}}',
    )
    run('init', '--client', 'claude-code', '--yes')
    const { hooks } = JSON.parse(readFileSync(inHome('.claude', 'settings.json'), 'utf8'))
    expect(hooks.SessionStart[0]).toEqual({ matcher: 'mine' })
    expect(hooks.SessionStart[1].hooks[0].command).toContain(
      'recall --hook --project "$CLAUDE_PROJECT_DIR"',
    )
    expect(
      run('init', '--client', 'claude-code', '--yes').stdout.match(/nothing was changed/g),
    ).toHaveLength(2)
  })

  it.each(['{ /* open', 'not json', '[1]', '{"servers":[]}', '{"servers":null}'])(
    'leaves a file alone that it does not understand: %s',
    (text) => {
      mkdirSync(inCode(), { recursive: true })
      writeFileSync(inCode('mcp.json'), text)
      expect(run('init', '--client', 'vscode', '--yes').stdout).toContain('Add by hand')
      expect(readFileSync(inCode('mcp.json'), 'utf8')).toBe(text)
    },
  )

  it('appends to the TOML of Codex to the byte', () => {
    mkdirSync(join(env.HOME ?? '', '.codex'))
    const file = join(env.HOME ?? '', '.codex', 'config.toml')
    writeFileSync(file, '# mine\nmodel = "x"')
    run('init', '--client', 'codex', '--yes')
    expect(readFileSync(file, 'utf8')).toMatch(
      /^mcp_optional_startup_grace_ms = 10000\n# mine\nmodel = "x"\n\n\[mcp_servers\.secretary\]\ncommand = ".+"\nargs = \[.+"mcp","--descriptions","compact","--tools","core","--dialog-prefix="\]\n$/,
    )
  })
})
