import { spawnSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { clients } from '@secretary-mcp/secretary/cli/clients/clients.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { binary, isolatedEnvironment } from '../support/mcp-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let env: Record<string, string>
let outside: string
const inProject = (...parts: string[]) => join(env.SECRETARY_PROJECT ?? '', ...parts)
const inHome = (...parts: string[]) => join(env.HOME ?? '', ...parts)
const init = (...args: string[]) =>
  spawnSync(process.execPath, [binary, 'init', '--yes', ...args], {
    env,
    cwd: env.SECRETARY_PROJECT,
    encoding: 'utf8',
  })
const initShared = (...clients: string[]) => init('--shared', '--client', ...clients)

beforeEach(() => {
  outside = temporaryFolder()
  const bin = temporaryFolder()
  symlinkSync(binary, join(bin, 'secretary'))
  env = isolatedEnvironment({ PATH: `${bin}:${process.env.PATH}` })
})

describe('secretary init', () => {
  it.each([
    ['.mcp.json', 'claude-code', inProjectOf, ['--shared']],
    ['.claude/settings.json', 'claude-code', inProjectOf, ['--shared']],
    ['.vscode/mcp.json', 'vscode', inProjectOf, ['--shared']],
    ['.cursor/mcp.json', 'cursor', inProjectOf, ['--shared']],
    ['.codex/hooks.json', 'codex', inProjectOf, ['--shared']],
    ['.codex/config.toml', 'codex', inHomeOf, []],
    ['.codex/hooks.json', 'codex', inHomeOf, []],
    ['.claude.json', 'claude-code', inHomeOf, []],
  ])('does not write through a link in the place of %s', (file, client, place, scope) => {
    const target = join(outside, 'target')
    writeFileSync(target, '{}')
    mkdirSync(dirname(place(file)), { recursive: true })
    symlinkSync(target, place(file))
    const { stdout } = init(...scope, '--client', client)
    expect(stdout).toContain('is a symbolic link')
    expect(readFileSync(target, 'utf8')).toBe('{}')
    expect(lstatSync(place(file)).isSymbolicLink()).toBe(true)
  })

  it.each([
    ['.claude', 'claude-code', inProjectOf, ['--shared']],
    ['.vscode', 'vscode', inProjectOf, ['--shared']],
    ['.cursor', 'cursor', inProjectOf, ['--shared']],
    ['.codex', 'codex', inProjectOf, ['--shared']],
    ['.codex', 'codex', inHomeOf, []],
  ])('does not write into a folder that %s leads to', (folder, client, place, scope) => {
    symlinkSync(outside, place(folder))
    expect(init(...scope, '--client', client).stdout).toContain('is a symbolic link')
    expect(readdirSync(outside)).toEqual([])
  })

  it.each([
    ['a pipe', (file: string) => spawnSync('mkfifo', [file])],
    ['a folder', (file: string) => mkdirSync(file)],
  ])('does not wait for %s in the place of a file', (_what, make) => {
    make(inProject('.mcp.json'))
    expect(initShared('claude-code').stdout).toContain('it is not an ordinary file')
    expect(lstatSync(inProject('.mcp.json')).isFile()).toBe(false)
  })

  it('is not led astray by links named after the processes to come', () => {
    const target = join(outside, 'profile')
    for (let pid = process.pid; pid < process.pid + 2_000; pid++)
      symlinkSync(target, inProject(`.mcp.json.${pid}.tmp`))
    expect(initShared('claude-code').status).toBe(0)
    expect(existsSync(target)).toBe(false)
    expect(lstatSync(inProject('.mcp.json')).isFile()).toBe(true)
  })

  it('leaves no draft behind and keeps the mode of a file', () => {
    writeFileSync(inProject('.mcp.json'), '{}', { mode: 0o600 })
    initShared('claude-code', 'vscode')
    expect(readdirSync(inProject()).filter((name) => name.endsWith('.tmp'))).toEqual([])
    expect(statSync(inProject('.mcp.json')).mode & 0o777).toBe(0o600)
  })

  it('puts no path of this machine into the files of a project', () => {
    initShared(...clients.map(({ id }) => id))
    const files = readdirSync(inProject(), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
    expect(files.length).toBeGreaterThan(12)
    for (const file of files) {
      const text = readFileSync(file, 'utf8')
      expect(text, file).toContain('secretary')
      for (const path of [env.HOME, env.SECRETARY_PROJECT, binary, process.execPath])
        expect(text, file).not.toContain(path)
    }
    expect(readFileSync(inHome('.codex', 'config.toml'), 'utf8')).toContain(binary)
  })

  it.each([
    ['another program', (bin: string) => writeFileSync(join(bin, 'secretary'), '#!/bin/sh\n')],
    ['no program', () => {}],
  ])('writes nothing into the files of a project if the PATH has %s of its name', (_what, put) => {
    const bin = temporaryFolder()
    put(bin)
    env.PATH = `${bin}:/usr/bin:/bin`
    const { status, stderr } = initShared('claude-code')
    expect(status).toBe(2)
    expect(stderr).toContain('the one on your PATH is not this program')
    expect(readdirSync(inProject())).toEqual([])
  })

  it('writes nothing at all on a dry run, and shows every change', () => {
    const before = readdirSync(env.HOME ?? '', { recursive: true })
    const { stdout } = init('--dry-run', '--client', 'claude-code', 'codex')
    for (const file of ['.claude.json', '.claude/settings.json', '.codex/config.toml'])
      expect(stdout.split(`${inHome(file)} would change`)).toHaveLength(2)
    expect(readdirSync(env.HOME ?? '', { recursive: true })).toEqual(before)
  })

  it('prints hooks that a shell reads as one command, whatever the project is called', () => {
    const bin = join(outside, 'bin')
    mkdirSync(bin)
    writeFileSync(join(bin, 'secretary'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 })
    const project = `${outside}/a "$(touch ${outside}/owned)\` b`
    for (const agent of ['claude-code', 'codex', 'gemini-cli', 'copilot-cli']) {
      const { stdout } = spawnSync(process.execPath, [binary, 'hook', agent, '--json'], {
        env,
        encoding: 'utf8',
      })
      const command = /"(?:command|bash)":("(?:[^"\\]|\\.)*")/.exec(stdout)?.[1] ?? '""'
      const ran = spawnSync('/bin/sh', ['-c', JSON.parse(command)], {
        env: { PATH: `${bin}:/bin:/usr/bin`, CLAUDE_PROJECT_DIR: project },
        encoding: 'utf8',
      })
      const form = agent === 'copilot-cli' ? ['--form', 'copilot'] : []
      const args = ['recall', '--hook', ...form]
      const named = agent === 'claude-code' ? ['--project', project] : []
      expect(ran.stdout.trimEnd().split('\n')).toEqual([...args, ...named])
      expect(existsSync(join(outside, 'owned'))).toBe(false)
    }
  })
})

function inProjectOf(file: string): string {
  return inProject(file)
}

function inHomeOf(file: string): string {
  return inHome(file)
}
