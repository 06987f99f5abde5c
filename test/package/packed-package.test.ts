import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { type Entry, emptyMachine, toolsOf } from '../support/empty-machine.ts'
import { type PackageRegistry, startPackageRegistry } from '../support/package-registry.ts'
import { terminalPicture } from '../support/terminal-picture.ts'
import { typeAnswers } from '../support/type-answers.ts'

let registry: PackageRegistry
beforeAll(async () => {
  registry = await startPackageRegistry()
})
afterAll(() => registry.close())

const machine = () => emptyMachine(registry.url)

const PICTURE = new URL('../../docs/pictures/install.svg', import.meta.url)
const RECALLED_LINES = 9
const WIDEST = 100

function expectPicture(init: readonly string[], recalled: readonly string[]): void {
  const lines = [
    '$ secretary init',
    ...init,
    '',
    '# After a compaction, Claude Code is told:',
    ...recalled,
    '…',
  ]
  const made = terminalPicture(lines, 'What init shows and writes, and what the agent is told')
  if (process.env.SECRETARY_PICTURES) writeFileSync(PICTURE, made)
  const how = 'SECRETARY_PICTURES=1 npx vitest run test/package/packed-package.test.ts retakes it'
  expect(readFileSync(PICTURE, 'utf8'), how).toBe(made)
}

/** Installs the package as a person does, and puts its command on the PATH. */
async function install({ home, env, run }: ReturnType<typeof machine>): Promise<string> {
  const prefix = join(home, 'prefix')
  const args = ['install', '--global', '--prefix', prefix, registry.tarball]
  const { status, stderr } = await run('npm', args)
  expect(status, stderr).toBe(0)
  env.PATH = `${join(prefix, 'bin')}:${env.PATH}`
  return join(prefix, 'bin', 'secretary')
}

/** Folders of this machine by the names that a person would see, without lines of mere brackets. */
function screenOf(shown: string, home: string, project: string): string[] {
  return shown
    .replaceAll(project, '~/shop')
    .replaceAll(process.execPath, 'node')
    .replaceAll(home, '~')
    .split('\n')
    .map((line) => stripVTControlCharacters(line).trimEnd())
    .filter((line) => /\w/.test(line))
    .map((line) => (line.length > WIDEST ? `${line.slice(0, WIDEST - 1)}…` : line))
}

/** Claude Code was here, and was asked two things. */
function putDialog(home: string, project: string): void {
  const folder = join(home, '.claude', 'projects', project.replace(/\W/g, '-'))
  mkdirSync(folder, { recursive: true })
  const requests = [
    'Greet people by name, and never log their e-mail addresses.',
    'Add a test for names with an apostrophe.',
  ]
  const records = requests.flatMap((content, place) => [
    { type: 'user', message: { role: 'user', content } },
    {
      type: 'assistant',
      message: { role: 'assistant', content: [{ type: 'text', text: `Done: ${place}` }] },
    },
  ])
  const lines = records.map((record, place) =>
    JSON.stringify({
      ...record,
      uuid: `record-${place}`,
      sessionId: 'shop',
      cwd: project,
      timestamp: `2026-01-15T10:0${place}:00.000Z`,
    }),
  )
  writeFileSync(join(folder, 'shop.jsonl'), `${lines.join('\n')}\n`)
}

describe('the packed package on an empty machine', () => {
  it('finds an agent, asks, and what it wrote starts the server and the hook', async () => {
    const computer = machine()
    const { home, project, env, run } = computer
    putDialog(home, project)
    const program = await install(computer)
    const shown = await typeAnswers('secretary init', { env, cwd: project }, ['y', 'y'])
    const [servers, settings] = [join(home, '.claude.json'), join(home, '.claude', 'settings.json')]
    for (const file of [servers, settings]) expect(shown).toContain(`Written: ${file}`)

    const entry: Entry = JSON.parse(readFileSync(servers, 'utf8')).mcpServers.secretary
    expect([entry.command, entry.args[0]]).toEqual([process.execPath, program])
    expect(await toolsOf(entry, env, project)).toContain('recall')

    const { hooks } = JSON.parse(readFileSync(settings, 'utf8'))
    const { command } = hooks.SessionStart[0].hooks[0]
    const told = JSON.stringify({ session_id: 'shop', cwd: project, source: 'compact' })
    const hook = await run('sh', ['-c', `CLAUDE_PROJECT_DIR="${project}" ${command}`], told)
    expect(hook.status, hook.stderr).toBe(0)
    const { additionalContext } = JSON.parse(hook.stdout).hookSpecificOutput
    expectPicture(
      screenOf(shown, home, project),
      screenOf(additionalContext, home, project).slice(0, RECALLED_LINES),
    )

    expect((await run('secretary', ['init', '--undo'])).status).toBe(0)
    expect([servers, settings].filter((file) => existsSync(file))).toEqual([])
    expect(readdirSync(project)).toEqual([])
  })

  it('does not let an agent depend on a copy that npm deletes', async () => {
    const { home, run } = machine()
    const args = ['-y', manifest.name, 'init', '--yes', '--client', 'codex']
    const { status, stderr } = await run('npx', args)
    expect(status).toBe(2)
    expect(stderr).toContain('Install Secretary first')
    expect(existsSync(join(home, '.codex'))).toBe(false)
  })

  it('serves a client that was set up by hand, and keeps its data in ~/.secretary', async () => {
    const { home, project, env } = machine()
    const entry = { command: 'npx', args: ['-y', manifest.name, 'mcp'] }
    expect(await toolsOf(entry, env, project)).toContain('add_task')
    expect(existsSync(join(home, '.secretary'))).toBe(true)
  })

  it('installs from the tarball without a compiler, and serves the files of a project', async () => {
    const computer = machine()
    const { project, env, run } = computer
    await install(computer)
    const doctor = await run('secretary', ['doctor'])
    expect(doctor.status, doctor.stdout).toBe(0)
    const args = ['init', '--yes', '--shared', '--client', 'claude-code']
    const { stderr } = await run('secretary', args)
    expect(stderr).toBe('')
    const { mcpServers } = JSON.parse(readFileSync(join(project, '.mcp.json'), 'utf8'))
    expect(mcpServers.secretary.command).toBe('secretary')
    expect(await toolsOf(mcpServers.secretary, env, project)).toContain('context_search')
  })
})
