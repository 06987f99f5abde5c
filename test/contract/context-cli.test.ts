import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { beforeAll, describe, expect, it } from 'vitest'
import { binary, isolatedEnvironment } from '../support/mcp-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe('the context family on the command line', () => {
  let env: Record<string, string>
  let project: string
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [binary, ...args], { env, encoding: 'utf8', timeout: 120_000 })

  beforeAll(() => {
    project = join(temporaryFolder(), 'project')
    mkdirSync(join(project, 'src'), { recursive: true })
    writeFileSync(
      join(project, 'src/token.ts'),
      "import './other.ts'\n\nexport function refreshToken(): string {\n  return 'fresh'\n}\n",
    )
    writeFileSync(join(project, 'src/other.ts'), 'export const other = 1\n')
    env = isolatedEnvironment({ SECRETARY_PROJECT: project })
  })

  it('index says what it did, and finds nothing to do the second time', () => {
    const first = run('index')
    expect(first.stdout).toMatch(/^2 files indexed \(0 unchanged\), \d+ chunks in [\d.]+ s\n$/)
    expect(first.status).toBe(0)
    expect(JSON.parse(run('index', '--json').stdout)).toMatchObject({
      filesIndexed: 0,
      filesUnchanged: 2,
    })
  })

  it('index --watch takes up a change and ends on a signal', async () => {
    const child = spawn(process.execPath, [binary, 'index', '--watch'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const notes = createInterface({ input: child.stderr })
    const lines: string[] = []
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
    await new Promise<void>((resolve) =>
      notes.on('line', (line) => line.startsWith('Watching') && resolve()),
    )
    const change = setInterval(
      () => writeFileSync(join(project, 'src/new.ts'), `export const at = ${Date.now()}\n`),
      500,
    )
    await expect.poll(() => lines.length, { timeout: 120_000 }).toBeGreaterThan(1)
    clearInterval(change)
    child.kill('SIGTERM')
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0)
    expect(lines[1]).toMatch(/^1 files indexed/)
  })

  it('search finds, in a project that was never indexed too', () => {
    const fresh = { ...env, SECRETARY_HOME: join(temporaryFolder(), 'home') }
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [binary, 'search', 'refresh', 'token'],
      {
        env: fresh,
        encoding: 'utf8',
      },
    )
    expect(stdout).toContain('src/token.ts:')
    expect(stderr).toContain('building it first')
    expect(status).toBe(0)
  })

  it('grep prints places, and read prints a file, its lines and its imports', () => {
    expect(run('grep', 'refresh\\w+').stdout).toContain(
      'src/token.ts:3:17: export function refreshToken(): string {',
    )
    expect(run('grep', 'nothing-like-it').stdout).toBe(
      "No matches found for pattern 'nothing-like-it'\n",
    )
    expect(run('read', 'src/token.ts', '--from', '3', '--to', '4').stdout).toBe(
      "export function refreshToken(): string {\n  return 'fresh'\n",
    )
    expect(run('read', 'src/token.ts', '--deps').stdout).toContain(
      '== src/other.ts (import)\nexport const other = 1',
    )
  })

  it('says what is wrong on standard error with an exit code', () => {
    const { stderr, status } = run('read', '../secret')
    expect(stderr).toContain('Path traversal not allowed')
    expect(status).toBe(1)
    expect(run('grep', '(').status).toBe(2)
    expect(run('read', 'x', '--from', 'many').status).toBe(2)
    expect(run('discoveries', '--type', 'rumour').status).toBe(2)
  })

  it('discoveries are added and listed', () => {
    expect(
      run(
        'discoveries',
        'add',
        'decision',
        'Tokens',
        'are',
        'refreshed',
        'early',
        '--files',
        'src/token.ts',
      ).stdout,
    ).toMatch(/^Discovery recorded: /)
    expect(run('discoveries').stdout).toMatch(
      /^\d{4}-\d\d-\d\d [\da-f-]{36} decision: Tokens are refreshed early\n$/,
    )
    writeFileSync(join(project, 'src/token.ts'), 'export {}\n')
    expect(run('discoveries').stdout).toContain('needs recheck: src/token.ts changed since')
  })
})
