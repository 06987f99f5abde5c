import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect } from 'vitest'
import { runProgram } from './run-program.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** An empty home and project, and a PATH with nothing but Node, npm and a shell: no compiler, no Python, no Git. */
export function emptyMachine(registry: string, programs: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder()
  const [bin = '', home = '', project = ''] = ['bin', 'home', 'project'].map((name) =>
    join(folder, name),
  )
  for (const made of [bin, home, project]) mkdirSync(made)
  for (const program of new Set(['node', 'npm', 'npx', 'sh', ...Object.keys(programs)]))
    symlinkSync(programs[program] ?? placeOf(program), join(bin, program))
  const { NODE_EXTRA_CA_CERTS: authorities } = process.env
  const env: Record<string, string> = {
    PATH: bin,
    HOME: home,
    npm_config_registry: registry,
    npm_config_update_notifier: 'false',
    npm_config_progress: 'false',
    ...(authorities ? { NODE_EXTRA_CA_CERTS: authorities } : {}),
  }
  const run = (command: string, args: readonly string[], input = '') =>
    runProgram(command, args, { cwd: project, env, input })
  return { home, project, env, run }
}

export function placeOf(program: string): string {
  const args = ['-c', `command -v ${program}`]
  return execFileSync('/bin/sh', args, { encoding: 'utf8' }).trim()
}

export interface Entry {
  readonly command: string
  readonly args: readonly string[]
}

/** Starts a server as a client would, works with it, and gives the names of its tools. */
export async function toolsOf(
  { command, args }: Entry,
  env: Record<string, string>,
  cwd: string,
): Promise<string[]> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StdioClientTransport({ command, args: [...args], env, cwd, stderr: 'pipe' }),
  )
  const { tools } = await client.listTools()
  await client.callTool({ name: 'add_task', arguments: { title: 'Buy milk' } })
  const { content } = await client.callTool({ name: 'list_tasks', arguments: {} })
  await client.close()
  expect(JSON.stringify(content)).toContain('Buy milk')
  return tools.map(({ name }) => name)
}
