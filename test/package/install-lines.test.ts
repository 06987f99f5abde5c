import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { emptyMachine, placeOf, toolsOf } from '../support/empty-machine.ts'
import { foreignTool } from '../support/foreign-tools.ts'
import { type PackageRegistry, startPackageRegistry } from '../support/package-registry.ts'
import { publishedLines, publishFor } from '../support/published-repository.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(join(root, 'docs/releasing.md'), 'utf8')

let registry: PackageRegistry
beforeAll(async () => {
  registry = await startPackageRegistry()
})
afterAll(() => registry.close())

/** A machine on which the package is installed and its command is on the PATH. */
async function installed() {
  const machine = emptyMachine(registry.url)
  const { home, env, run } = machine
  const prefix = join(home, 'prefix')
  const args = ['install', '--global', '--prefix', prefix, registry.tarball]
  const { status, stderr } = await run('npm', args)
  expect(status, stderr).toBe(0)
  env.PATH = `${join(prefix, 'bin')}:${env.PATH}`
  return machine
}

describe('what a person uses once the package is published', () => {
  it('starts the server that the link for Cursor names', async () => {
    const { env, project } = await installed()
    const link = new URL(/https:\/\/cursor\.com\/[^)]+/.exec(page)?.[0] ?? '')
    const config = Buffer.from(link.searchParams.get('config') ?? '', 'base64').toString('utf8')
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Cursor fills it in
    const entry = JSON.parse(config.replaceAll('${workspaceFolder}', project))
    expect(await toolsOf(entry, env, '/')).toContain('copilot_chat_secretary_recall')
  })

  it('starts the server that the line for VS Code names', async () => {
    const { env, project } = await installed()
    // As a shell takes the line apart, with a program in place of the editor.
    const { stdout } = spawnSync(
      'sh',
      ['-c', `code() { printf %s "$2"; }; ${publishedLines.vscode}`],
      {
        encoding: 'utf8',
      },
    )
    const { name, ...entry } = JSON.parse(stdout)
    expect(name).toBe('secretary')
    expect(await toolsOf(entry, env, project)).toContain('context_search')
  })

  it('adds the skill, which agents without MCP read', async () => {
    const programs = Object.fromEntries(['git', 'sh'].map((name) => [name, placeOf(name)]))
    const { home, project, env, run } = emptyMachine(registry.url, programs)
    publishFor(home)
    Object.assign(env, { DISABLE_TELEMETRY: '1' })
    const [, ...line] = publishedLines.skill?.split(' ') ?? []
    expect(line.shift()).toBe('skills')
    // What a person would choose from the list.
    const chosen = ['--agent', 'claude-code', '--yes']
    const { status, stdout, stderr } = await run(foreignTool('node'), [
      foreignTool('skills'),
      ...line,
      ...chosen,
    ])
    expect(status, stdout + stderr).toBe(0)
    const added = readFileSync(join(project, '.claude/skills/secretary/SKILL.md'), 'utf8')
    expect(added).toBe(readFileSync(join(root, 'skills/secretary/SKILL.md'), 'utf8'))
  })
})

describe('what the package needs', () => {
  it('is no newer Node than its manifest names', async () => {
    const oldest = manifest.engines.node.replace('>=', '')
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'package.json'), '{ "allowScripts": { "node": true } }')
    const args = ['install', '--no-audit', '--no-fund', `node@${oldest}.0`]
    const { status, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })
    expect(status, stderr).toBe(0)
    const node = join(folder, 'node_modules/node/bin/node')
    const { env, project, run } = emptyMachine(registry.url, { node })
    expect((await run('node', ['--version'])).stdout.trim()).toBe(`v${oldest}.0`)
    const entry = { command: 'npx', args: ['-y', manifest.name, 'mcp'] }
    expect(await toolsOf(entry, env, project)).toContain('add_task')
  })

  it('is nothing beyond this machine, once it is installed', async () => {
    const { home, project, env, run } = await installed()
    const asked = join(home, 'asked')
    const watch = join(home, 'watch.mjs')
    writeFileSync(watch, watching(asked))
    Object.assign(env, { NODE_OPTIONS: `--import=${watch}` })
    writeFileSync(join(project, 'greet.ts'), 'export const greet = (name: string) => name\n')
    for (const command of [
      ['init', '--client', 'codex', '--yes'],
      ['index'],
      ['search', 'greet people'],
      ['tasks', 'add', 'Buy milk'],
      ['chat', '--once', 'what is left?'],
      ['recall', '--hook'],
      ['doctor'],
    ]) {
      const { status, stdout, stderr } = await run('secretary', command)
      expect(status, `${command}: ${stdout}${stderr}`).toBe(0)
    }
    await toolsOf({ command: 'secretary', args: ['mcp'] }, env, project)
    expect(existsSync(asked) ? readFileSync(asked, 'utf8') : '').toBe('')
    const probe = "require('node:net').connect(9, '127.0.0.1').on('error', () => {})"
    await run('node', ['-e', probe])
    expect(readFileSync(asked, 'utf8')).not.toBe('')
  })
})

/** Writes down every connection that a program of Node tries to make, and makes none. */
const watching = (asked: string) => `import { appendFileSync } from 'node:fs'
import { Socket } from 'node:net'
Socket.prototype.connect = function (...args) {
  appendFileSync(${JSON.stringify(asked)}, JSON.stringify(args) + '\\n')
  queueMicrotask(() => this.destroy(new Error('no network here')))
  return this
}
`
