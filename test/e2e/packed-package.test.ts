import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { npxCommand } from '../../src/cli/clients/server-entry.ts'
import { packageName } from '../../src/version.ts'
import { type PackageRegistry, startPackageRegistry } from '../support/package-registry.ts'
import { runProgram } from '../support/run-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let registry: PackageRegistry
beforeAll(async () => {
  registry = await startPackageRegistry()
})
afterAll(() => registry.close())

/** An empty home and project, and a PATH with nothing but Node, npm and a shell: no compiler, no Python, no Git. */
function emptyMachine() {
  const folder = temporaryFolder()
  const [bin, home, project] = ['bin', 'home', 'project'].map((name) => join(folder, name))
  for (const made of [bin, home, project]) mkdirSync(made ?? '')
  for (const program of ['node', 'npm', 'npx', 'sh']) {
    const found = execFileSync('/bin/sh', ['-c', `command -v ${program}`], { encoding: 'utf8' })
    symlinkSync(found.trim(), join(bin ?? '', program))
  }
  const { NODE_EXTRA_CA_CERTS: authorities } = process.env
  const env: Record<string, string> = {
    PATH: bin ?? '',
    HOME: home ?? '',
    npm_config_registry: registry.url,
    npm_config_update_notifier: 'false',
    ...(authorities ? { NODE_EXTRA_CA_CERTS: authorities } : {}),
  }
  const run = (command: string, args: string[], input = '') =>
    runProgram(command, args, { cwd: project, env, input })
  return { home: home ?? '', project: project ?? '', env, run }
}

interface Entry {
  readonly command: string
  readonly args: string[]
}

async function toolsOf({ command, args }: Entry, env: Record<string, string>, cwd: string) {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StdioClientTransport({ command, args, env, cwd, stderr: 'pipe' }))
  const { tools } = await client.listTools()
  await client.callTool({ name: 'add_task', arguments: { title: 'Buy milk' } })
  const { content } = await client.callTool({ name: 'list_tasks', arguments: {} })
  await client.close()
  expect(JSON.stringify(content)).toContain('Buy milk')
  return tools.map(({ name }) => name)
}

describe('the packed package on an empty machine', () => {
  it('sets up every client with one line, and what it wrote starts the server and the hook', async () => {
    const { home, project, env, run } = emptyMachine()
    const { status, stdout, stderr } = await run('npx', [
      '-y',
      packageName,
      'init',
      '--yes',
      '--client',
      'claude-code',
      'codex',
    ])
    expect(status, stderr).toBe(0)
    expect(stdout).toContain('takes it back')
    expect(stderr).toContain('start Secretary with `npx`')

    const { mcpServers } = JSON.parse(readFileSync(join(project, '.mcp.json'), 'utf8'))
    const entry: Entry = mcpServers.secretary
    expect([entry.command, ...entry.args.slice(0, 2)]).toEqual(npxCommand())
    expect(await toolsOf(entry, env, project)).toContain('copilot_chat_secretary_recall')

    // The folder in which npx keeps a package is cleared now and then: nothing may point into it.
    const codex = readFileSync(join(home, '.codex', 'config.toml'), 'utf8')
    expect(codex).toContain('command = "npx"')
    expect(codex).not.toContain('_npx')

    const { hooks } = JSON.parse(readFileSync(join(project, '.claude', 'settings.json'), 'utf8'))
    const { command } = hooks.SessionStart[0].hooks[0]
    const told = JSON.stringify({ session_id: 'new', cwd: project, source: 'startup' })
    const hook = await run('sh', ['-c', `CLAUDE_PROJECT_DIR="${project}" ${command}`], told)
    expect(hook.status, hook.stderr).toBe(0)
    expect(JSON.parse(hook.stdout).hookSpecificOutput.hookEventName).toBe('SessionStart')

    expect((await run('npx', ['-y', packageName, 'init', '--undo'])).status).toBe(0)
    expect(existsSync(join(project, '.mcp.json'))).toBe(false)
  })

  it('installs from the tarball without a compiler, and serves', async () => {
    const { home, project, env, run } = emptyMachine()
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
