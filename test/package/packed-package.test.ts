import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { npxCommand } from '@secretary-mcp/secretary/cli/clients/server-entry.ts'
import { packageName } from '@secretary-mcp/secretary/version.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
    `$ npx ${packageName} init`,
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

/** Folders of this machine by the names that a person would see, without what npm says of itself and lines of mere brackets. */
function screenOf(shown: string, home: string, project: string): string[] {
  return shown
    .replaceAll(project, '~/shop')
    .replaceAll(home, '~')
    .split('\n')
    .map((line) => stripVTControlCharacters(line).trimEnd())
    .filter((line) => /\w/.test(line) && !line.startsWith('npm '))
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
    const { home, project, env, run } = machine()
    putDialog(home, project)
    const shown = await typeAnswers(`npx -y ${packageName} init`, { env, cwd: project }, ['y', 'y'])
    expect(shown).toContain(`Written: ${join(project, '.mcp.json')}`)
    expect(shown).toContain('start Secretary with `npx`')

    const { mcpServers } = JSON.parse(readFileSync(join(project, '.mcp.json'), 'utf8'))
    const entry: Entry = mcpServers.secretary
    expect([entry.command, ...entry.args.slice(0, 2)]).toEqual(npxCommand())
    expect(await toolsOf(entry, env, project)).toContain('copilot_chat_secretary_recall')

    const { hooks } = JSON.parse(readFileSync(join(project, '.claude', 'settings.json'), 'utf8'))
    const { command } = hooks.SessionStart[0].hooks[0]
    const told = JSON.stringify({ session_id: 'shop', cwd: project, source: 'compact' })
    const hook = await run('sh', ['-c', `CLAUDE_PROJECT_DIR="${project}" ${command}`], told)
    expect(hook.status, hook.stderr).toBe(0)
    const { additionalContext } = JSON.parse(hook.stdout).hookSpecificOutput
    expectPicture(
      screenOf(shown, home, project),
      screenOf(additionalContext, home, project).slice(0, RECALLED_LINES),
    )

    expect((await run('npx', ['-y', packageName, 'init', '--undo'])).status).toBe(0)
    expect(existsSync(join(project, '.mcp.json'))).toBe(false)
  })

  it('points nothing into the folder that npm clears', async () => {
    const { home, run } = machine()
    const args = ['-y', packageName, 'init', '--yes', '--client', 'codex']
    const { status, stderr } = await run('npx', args)
    expect(status, stderr).toBe(0)
    const codex = readFileSync(join(home, '.codex', 'config.toml'), 'utf8')
    expect(codex).toContain('command = "npx"')
    expect(codex).not.toContain('_npx')
  })

  it('serves a client that was set up by hand, and keeps its data in ~/.secretary', async () => {
    const { home, project, env } = machine()
    const entry = { command: 'npx', args: ['-y', packageName, 'mcp'] }
    expect(await toolsOf(entry, env, project)).toContain('add_task')
    expect(existsSync(join(home, '.secretary'))).toBe(true)
  })

  it('installs from the tarball without a compiler, and serves', async () => {
    const { home, project, env, run } = machine()
    const prefix = join(home, 'prefix')
    const installed = await run('npm', [
      'install',
      '--global',
      '--prefix',
      prefix,
      registry.tarball,
    ])
    expect(installed.status, installed.stderr).toBe(0)
    env.PATH = `${join(prefix, 'bin')}:${env.PATH}`
    const doctor = await run('secretary', ['doctor'])
    expect(doctor.status, doctor.stdout).toBe(0)
    const { stderr } = await run('secretary', ['init', '--yes', '--client', 'claude-code'])
    expect(stderr).toBe('')
    const { mcpServers } = JSON.parse(readFileSync(join(project, '.mcp.json'), 'utf8'))
    expect(mcpServers.secretary.command).toBe('secretary')
    expect(await toolsOf(mcpServers.secretary, env, project)).toContain('context_search')
  })
})
