import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Connection } from '../support/mcp-client.ts'
import { connect } from '../support/setups.ts'
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
  '.claude/.credentials.json',
  '.codex/auth.json',
  'client_secret_7.json',
  'infra/prod.tfvars',
  'rootkey.csv',
  'env.production',
  '.hg/hgrc',
  '.svn/auth/svn.simple/1',
  'deploy/prod.pem.txt',
  'deploy/my_private_key',
  'deploy/kubeconfig',
]
/** Begins as a key does, ends at once, and goes on. */
const DECEIVING = `-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n${'a line\n'.repeat(5000)}${SECRET}\n`
/** A line as keys have them, far behind a beginning in the middle of a text. */
const BODY = `${SECRET}${'aB3x'.repeat(12)}`
const FAR = `# Notes\n\n-----BEGIN RSA PRIVATE KEY-----\n${`${'Qx7z'.repeat(16)}\n`.repeat(600)}${BODY}\n-----END RSA PRIVATE KEY-----\nThe end.\n`

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
  write('notes/deceiving.txt', DECEIVING)
  write('notes/far.md', FAR)
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
    server = await connect({ env: { SECRETARY_PROJECT: root, SECRETARY_RATE_LIMITS: 'off' } })
  })
  afterAll(() => server.close())

  it.each([...SECRET_FILES, 'notes/whole-key.txt', 'notes/deceiving.txt'])(
    'read_file denies %s, whole and in part',
    async (path) => {
      const { body, result } = await server.attempt('read_file', { path })
      expect(result.isError).toBe(true)
      expect(body.error).toBe('Permission denied')
      const part = await server.attempt('read_file', { path, startLine: 1, endLine: 9999 })
      expect(part.body.error).toBe('Permission denied')
    },
  )

  it('read_file and grep_codebase hide each line of a key, however far behind its beginning', async () => {
    for (const range of [{}, { startLine: 600, endLine: 606 }, { startLine: 604 }]) {
      const { body } = await server.call('read_file', { path: 'notes/far.md', ...range })
      expect(JSON.stringify(body)).not.toContain(SECRET)
      expect(JSON.stringify(body)).not.toContain('Qx7z')
      expect(JSON.stringify(body)).toContain('The end.')
    }
    for (const pattern of ['Qx7z', 'aB3x', 'The end'])
      expect(
        JSON.stringify((await server.call('grep_codebase', { pattern })).body.matches),
      ).not.toMatch(/Qx7zQx7z|aB3xaB3x/)
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
