import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Connection, connectStdio } from '../support/mcp-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const SECRET = 'hunter2swordfish'
const KEY = `-----BEGIN RSA PRIVATE KEY-----\n${SECRET}\n-----END RSA PRIVATE KEY-----\n`
const SECRET_FILES = [
  '.env-prod.json',
  '.envs/local.ts',
  '.env.d/more.py',
  '.ENV.md',
  '.ssh/config.md',
  '.aws/notes.md',
  '.npmrc',
  'deploy/id_rsa',
  'deploy/id_work',
  'deploy/tls.PEM',
  'deploy/server.key',
  'vault.kdbx',
  'mirror.git/config.ts',
  'bare/config.ts',
]

function project(): string {
  const root = join(temporaryFolder(), 'project')
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  for (const path of SECRET_FILES) write(path, `export const password = '${SECRET}'\n`)
  for (const name of ['HEAD', 'objects/x', 'refs/x']) write(`bare/${name}`, 'x')
  write(
    'notes/deploy.md',
    `# Deploy\n\nThe password is kept in a vault.\n\n${KEY}\nRestart after it.\n`,
  )
  write('notes/whole-key.txt', KEY)
  write(
    'src/main.ts',
    "import './settings.ts'\nimport '../.envs/local.ts'\nexport const password = 1\n",
  )
  write('src/settings.ts', 'export const settings = 1\n')
  execFileSync('mkfifo', [join(root, 'src/pipe.ts')])
  symlinkSync('/dev/zero', join(root, 'src/.gitignore'))
  return root
}

describe('what is never shown', () => {
  let server: Connection
  let root: string
  beforeAll(async () => {
    root = project()
    server = await connectStdio({ env: { SECRETARY_PROJECT: root, SECRETARY_RATE_LIMITS: 'off' } })
  })
  afterAll(() => server.close())

  it.each([...SECRET_FILES, 'notes/whole-key.txt'])('read_file denies %s', async (path) => {
    const { body, result } = await server.call('read_file', { path })
    expect(result.isError).toBe(true)
    expect(body.error).toBe('Permission denied')
  })

  it('read_file hides a key within a text and shows the rest, whole and in part', async () => {
    const { body } = await server.call('read_file', { path: 'notes/deploy.md' })
    const { content } = body.file as { content: string }
    expect(content).toContain('Restart after it.')
    expect(content).not.toContain(SECRET)
    const part = await server.call('read_file', {
      path: 'notes/deploy.md',
      startLine: 6,
      endLine: 8,
    })
    expect(JSON.stringify(part.body)).not.toContain(SECRET)
  })

  it('grep_codebase finds it nowhere, and answers although an ignore file never ends', async () => {
    for (const args of [{ pattern: SECRET }, { pattern: SECRET, filePattern: '**/*' }]) {
      const { body } = await server.call('grep_codebase', args)
      expect(body).toMatchObject({ matches: [], totalMatches: 0 })
    }
    const { body } = await server.call('grep_codebase', { pattern: 'Restart after it' })
    expect(JSON.stringify(body.matches)).not.toContain(SECRET)
    const main = await server.call('grep_codebase', { pattern: 'export const settings' })
    expect(main.body).toMatchObject({ matches: [{ file: 'src/settings.ts' }] })
  })

  it('context_search, dependencies and resources leave it out', async () => {
    await expect
      .poll(
        async () => (await server.call('context_search', { query: 'restart after deploy' })).body,
      )
      .toMatchObject({
        results: expect.arrayContaining([expect.objectContaining({ file: 'notes/deploy.md' })]),
      })
    for (const query of ['password', SECRET, 'rsa private key', 'config local more']) {
      const { result } = await server.call('context_search', { query, limit: 20 })
      const text = JSON.stringify(result).replaceAll(JSON.stringify(query).slice(1, -1), '')
      expect(text, query).not.toContain(SECRET)
      for (const path of SECRET_FILES) expect(text, query).not.toContain(`"${path}"`)
    }
    const { body } = await server.call('read_file', { path: 'src/main.ts', includeDeps: true })
    expect((body.dependencies as { path: string }[]).map(({ path }) => path)).toEqual([
      'src/settings.ts',
    ])
    const { contents } = await server.client.readResource({ uri: 'context://project/overview' })
    expect(JSON.stringify(contents)).not.toContain(SECRET)
  })

  it('a file that becomes secret is forgotten by the running server', async () => {
    rmSync(join(root, 'src/settings.ts'))
    writeFileSync(join(root, 'src/settings.ts'), KEY)
    await expect
      .poll(async () =>
        JSON.stringify((await server.call('context_search', { query: 'settings' })).body),
      )
      .not.toContain('src/settings.ts')
  })
})
