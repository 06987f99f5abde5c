import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guardedProject, SECRET } from '../support/guarded-project.ts'
import type { Answer, Connection } from '../support/mcp-client.ts'
import { connect } from '../support/setups.ts'

describe('read_file', () => {
  let server: Connection
  let root: string
  const answerOf = ({ body, result }: Answer) => ({
    body,
    isError: result.isError === true,
    text: JSON.stringify(result),
  })
  const call = async (tool: string, args: Record<string, unknown>) =>
    answerOf(await server.call(tool, args))
  const attempt = async (tool: string, args: Record<string, unknown>) =>
    answerOf(await server.attempt(tool, args))

  beforeAll(async () => {
    root = guardedProject()
    server = await connect({ env: { SECRETARY_PROJECT: root, SECRETARY_RATE_LIMITS: 'off' } })
  })
  afterAll(() => server.close())

  it('C4 reads a file with its size, lines, language, module and role', async () => {
    const { body, isError } = await call('read_file', { path: 'src/server/auth/service.ts' })
    expect(isError).toBe(false)
    expect(body).toEqual({
      file: {
        path: 'src/server/auth/service.ts',
        content: "import { sign } from './token.ts'\n\nexport const login = () => sign('x')\n",
        size: 72,
        lines: 3,
        language: 'typescript',
      },
      dependencies: [],
      metadata: {
        module: 'auth',
        role: 'core',
        lastModified: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
    })
  })

  it('C4 gives the files it imports with their contents, and none at depth 0', async () => {
    const path = 'src/server/auth/service.ts'
    expect((await call('read_file', { path, includeDeps: true })).body.dependencies).toEqual([
      {
        path: 'src/server/auth/token.ts',
        type: 'import',
        level: 1,
        content: 'export const sign = (payload: string) => payload\n',
      },
    ])
    expect(
      (await call('read_file', { path, includeDeps: true, maxDepth: 0 })).body.dependencies,
    ).toEqual([])
    expect(
      (await call('read_file', { path: 'app.py', includeDeps: true })).body.dependencies,
    ).toMatchObject([{ path: 'tool.py' }])
  })

  it('C6 names the line where the imports cannot be parsed', async () => {
    const { body, isError } = await attempt('read_file', { path: 'broken.ts', includeDeps: true })
    expect(isError).toBe(true)
    expect(body).toEqual({
      error: 'Failed to parse imports',
      path: 'broken.ts',
      details: 'Syntax error at line 2',
    })
    expect((await call('read_file', { path: 'broken.ts' })).isError).toBe(false)
  })

  it('C4 reads a part of a file, and of one that is too large as a whole', async () => {
    const part = await call('read_file', { path: 'lines.txt', startLine: 3, endLine: 4 })
    expect(part.body.file).toMatchObject({
      content: 'line 3\nline 4\n',
      startLine: 3,
      endLine: 4,
      lines: 10,
    })
    const end = await call('read_file', { path: 'lines.txt', startLine: 9 })
    expect(end.body.file).toMatchObject({ content: 'line 9\nline 10', endLine: 10 })
    const big = await call('read_file', { path: 'big.txt', startLine: 10_999, endLine: 11_000 })
    expect(big.body.file).toMatchObject({
      lines: 11_000,
      content: `${'x'.repeat(99)}\n`.repeat(2),
    })
    expect((await attempt('read_file', { path: 'lines.txt', startLine: 11 })).body).toEqual({
      error: 'Line out of range',
      path: 'lines.txt',
      details: 'The file has 10 lines',
    })
    expect(
      (await attempt('read_file', { path: 'lines.txt', startLine: 5, endLine: 4 })).body.error,
    ).toBe('Invalid parameters')
  })

  it('C4 reads an empty file, one in another encoding, and through a link that stays inside', async () => {
    expect((await call('read_file', { path: 'empty.txt' })).body.file).toMatchObject({
      content: '',
      size: 0,
      lines: 0,
    })
    expect((await call('read_file', { path: 'latin.txt' })).body.file).toMatchObject({
      content: 'café\n',
      encoding: 'windows-1252',
    })
    expect((await call('read_file', { path: 'link-in.ts' })).body.file).toMatchObject({
      path: 'src/app.environment.ts',
    })
  })

  it.each([
    '.gitignore',
    '.github/workflows/ci.yml',
    'src/app.environment.ts',
    './src//server/../server/auth/token.ts',
  ])('C7 lets %s be read or says why not, by segments and not by substrings', async (path) => {
    const { body, isError } = await attempt('read_file', { path })
    if (path.includes('..')) expect(body).toEqual({ error: 'Path traversal not allowed', path })
    else expect(isError).toBe(false)
  })

  it.each([
    ['missing.ts', 'File not found'],
    ['src', 'File not found'],
    ['src/app.environment.ts/x', 'File not found'],
    ['loop-a', 'File not found'],
    ['a\0b', 'File not found'],
    ['x'.repeat(300), 'File not found'],
    ['big.txt', 'File too large'],
    ['picture.bin', 'Not a text file'],
    ['pipe', 'Permission denied'],
  ])('C6 answers %j in its own shape', async (path, error) => {
    const { body, isError } = await attempt('read_file', { path })
    expect(isError).toBe(true)
    expect(body).toMatchObject({ error, path })
  })

  it.each([
    ['/etc/passwd', 'Absolute paths not allowed'],
    ['//server/share/x', 'Absolute paths not allowed'],
    ['C:\\Windows\\win.ini', 'Absolute paths not allowed'],
    ['c:secret.txt', 'Absolute paths not allowed'],
    ['\\\\server\\share\\x', 'Absolute paths not allowed'],
    ['\\etc\\passwd', 'Absolute paths not allowed'],
    ['file:///etc/passwd', 'Absolute paths not allowed'],
    ['%2Fetc%2Fpasswd', 'Absolute paths not allowed'],
    ['../outside.txt', 'Path traversal not allowed'],
    ['src/../../outside.txt', 'Path traversal not allowed'],
    ['src/..', 'Path traversal not allowed'],
    ['..', 'Path traversal not allowed'],
    ['..\\outside.txt', 'Path traversal not allowed'],
    ['src\\..\\..\\outside.txt', 'Path traversal not allowed'],
    ['%2e%2e/outside.txt', 'Path traversal not allowed'],
    ['%2e%2e%2foutside.txt', 'Path traversal not allowed'],
    ['%252e%252e%252foutside.txt', 'Path traversal not allowed'],
    ['..%5coutside.txt', 'Path traversal not allowed'],
    ['%c0%ae%c0%ae/outside.txt', 'Path traversal not allowed'],
    ['．．/outside.txt', 'Path traversal not allowed'],
    ['.. /outside.txt', 'Path traversal not allowed'],
    ['link-out.txt', 'Path traversal not allowed'],
    ['folder-out/outside.txt', 'Path traversal not allowed'],
    ['.env', 'Permission denied'],
    ['.ENV', 'Permission denied'],
    ['.env.local', 'Permission denied'],
    ['./.env', 'Permission denied'],
    ['src/.env.production', 'Permission denied'],
    ['%2eenv', 'Permission denied'],
    ['.env::$DATA', 'Permission denied'],
    ['link-to-env', 'Permission denied'],
    ['.git/config', 'Permission denied'],
    ['.git\\config', 'Permission denied'],
    ['.GIT/config', 'Permission denied'],
    ['node_modules/pkg/index.js', 'Permission denied'],
    ['packages/a/node_modules/pkg/index.js', 'Permission denied'],
  ])('C7 refuses %j and leaks no byte', async (path, error) => {
    for (const args of [
      { path },
      { path, includeDeps: true },
      { path, startLine: 1, endLine: 1 },
    ]) {
      const { body, isError, text } = await attempt('read_file', args)
      expect(isError).toBe(true)
      expect(body).toEqual({ error, path })
      expect(text).not.toContain(SECRET)
    }
  })
})
