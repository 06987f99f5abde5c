import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Connection, connectStdio, transports } from '../support/mcp-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const SECRET = 'top-secret-value'

function makeProject(): string {
  const folder = temporaryFolder()
  const root = join(folder, 'project')
  const write = (path: string, content: string | Uint8Array) => {
    const full = join(root, path)
    mkdirSync(dirname(full), { recursive: true })
    writeFileSync(full, content)
  }
  write('src/server/auth/service.ts', "import { sign } from './token.ts'\n\nexport const login = () => sign('x')\n")
  write('src/server/auth/token.ts', 'export const sign = (payload: string) => payload\n')
  write('src/app.environment.ts', 'export const environment = 1\n')
  write('.gitignore', 'generated/\nsecret.ts\n')
  write('.github/workflows/ci.yml', 'on: push\n')
  write('.env', SECRET)
  write('.env.local', SECRET)
  write('.git/config', SECRET)
  write('node_modules/pkg/index.js', SECRET)
  write('packages/a/node_modules/pkg/index.js', SECRET)
  write('generated/code.ts', 'export const needle = 1\n')
  write('src/secret.ts', 'export const needle = 1\n')
  write('dist/out.js', 'needle')
  write('build/out.js', 'needle')
  write('.next/out.js', 'needle')
  write('.context/out.js', 'needle')
  write('app.py', 'import tool\n')
  write('tool.py', 'x = 1\n')
  write('broken.ts', 'const a = 1\nconst = 2\n')
  write('empty.txt', '')
  write('latin.txt', Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]))
  write('picture.bin', Buffer.from([0, 1, 2, 3]))
  write('big.txt', `${'x'.repeat(99)}\n`.repeat(11_000))
  write('lines.txt', Array.from({ length: 10 }, (_, n) => `line ${n + 1}`).join('\n'))
  write('unicode.ts', '// 猫🐈 é needle here\n')
  write('minified.js', `${'a'.repeat(5000)}needle${'b'.repeat(5000)}\n`)
  write('src/deep/one.ts', 'before 2\nbefore 1\nfindme\nafter 1\nfindme\nafter 2\nafter 3\n')
  writeFileSync(join(folder, 'outside.txt'), SECRET)
  symlinkSync(join(folder, 'outside.txt'), join(root, 'link-out.txt'))
  symlinkSync(folder, join(root, 'folder-out'))
  symlinkSync(join(root, '.env'), join(root, 'link-to-env'))
  symlinkSync(join(root, 'src/app.environment.ts'), join(root, 'link-in.ts'))
  symlinkSync('loop-b', join(root, 'loop-a'))
  symlinkSync('loop-a', join(root, 'loop-b'))
  execFileSync('mkfifo', [join(root, 'pipe')])
  return root
}

for (const { name, connect } of transports) {
  describe(`read and grep over ${name}`, () => {
    let server: Connection
    let root: string
    const call = async (tool: string, args: Record<string, unknown>) => {
      const { body, result } = await server.call(tool, args)
      return { body, isError: result.isError === true, text: JSON.stringify(result) }
    }

    beforeAll(async () => {
      root = makeProject()
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
        metadata: { module: 'auth', role: 'core', lastModified: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) },
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
      expect((await call('read_file', { path, includeDeps: true, maxDepth: 0 })).body.dependencies).toEqual([])
      expect((await call('read_file', { path: 'app.py', includeDeps: true })).body.dependencies).toMatchObject([
        { path: 'tool.py' },
      ])
    })

    it('C6 names the line where the imports cannot be parsed', async () => {
      const { body, isError } = await call('read_file', { path: 'broken.ts', includeDeps: true })
      expect(isError).toBe(true)
      expect(body).toEqual({ error: 'Failed to parse imports', path: 'broken.ts', details: 'Syntax error at line 2' })
      expect((await call('read_file', { path: 'broken.ts' })).isError).toBe(false)
    })

    it('C4 reads a part of a file, and of one that is too large as a whole', async () => {
      const part = await call('read_file', { path: 'lines.txt', startLine: 3, endLine: 4 })
      expect(part.body.file).toMatchObject({ content: 'line 3\nline 4\n', startLine: 3, endLine: 4, lines: 10 })
      const end = await call('read_file', { path: 'lines.txt', startLine: 9 })
      expect(end.body.file).toMatchObject({ content: 'line 9\nline 10', endLine: 10 })
      const big = await call('read_file', { path: 'big.txt', startLine: 10_999, endLine: 11_000 })
      expect(big.body.file).toMatchObject({ lines: 11_000, content: `${'x'.repeat(99)}\n`.repeat(2) })
      expect((await call('read_file', { path: 'lines.txt', startLine: 11 })).body).toEqual({
        error: 'Line out of range',
        path: 'lines.txt',
        details: 'The file has 10 lines',
      })
      expect((await call('read_file', { path: 'lines.txt', startLine: 5, endLine: 4 })).body.error).toBe('Invalid parameters')
    })

    it('C4 reads an empty file, one in another encoding, and through a link that stays inside', async () => {
      expect((await call('read_file', { path: 'empty.txt' })).body.file).toMatchObject({ content: '', size: 0, lines: 0 })
      expect((await call('read_file', { path: 'latin.txt' })).body.file).toMatchObject({
        content: 'café\n',
        encoding: 'windows-1252',
      })
      expect((await call('read_file', { path: 'link-in.ts' })).body.file).toMatchObject({ path: 'src/app.environment.ts' })
    })

    it.each(['.gitignore', '.github/workflows/ci.yml', 'src/app.environment.ts', './src//server/../server/auth/token.ts'])(
      'C7 lets %s be read or says why not, by segments and not by substrings',
      async (path) => {
        const { body, isError } = await call('read_file', { path })
        if (path.includes('..')) expect(body).toEqual({ error: 'Path traversal not allowed', path })
        else expect(isError).toBe(false)
      },
    )

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
      const { body, isError } = await call('read_file', { path })
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
      for (const args of [{ path }, { path, includeDeps: true }, { path, startLine: 1, endLine: 1 }]) {
        const { body, isError, text } = await call('read_file', args)
        expect(isError).toBe(true)
        expect(body).toEqual({ error, path })
        expect(text).not.toContain(SECRET)
      }
    })

    it('C8 gives file, line, column, text and two lines on each side', async () => {
      const { body } = await call('grep_codebase', { pattern: 'FINDME' })
      expect(body).toEqual({
        matches: [
          {
            file: 'src/deep/one.ts',
            line: 3,
            column: 1,
            text: 'findme',
            context: { before: ['before 2', 'before 1'], after: ['after 1', 'findme'] },
          },
          {
            file: 'src/deep/one.ts',
            line: 5,
            column: 1,
            text: 'findme',
            context: { before: ['findme', 'after 1'], after: ['after 2', 'after 3'] },
          },
        ],
        pattern: 'FINDME',
        totalMatches: 2,
        filesSearched: expect.any(Number),
        searchTime: expect.any(Number),
      })
      expect(body.filesSearched).toBeGreaterThan(5)
    })

    it('C8 minds the case when asked to', async () => {
      expect((await call('grep_codebase', { pattern: 'FINDME', caseSensitive: true })).body.totalMatches).toBe(0)
    })

    it('C8 leaves out ignored files, the excluded folders and secrets, even where a glob names them', async () => {
      for (const filePattern of [undefined, '**/*', '**/*.ts', 'dist/**', 'node_modules/**', '.env*', '*.js']) {
        const { body, text } = await call('grep_codebase', { pattern: `needle|${SECRET}`, filePattern })
        const files = (body.matches as { file: string }[]).map(({ file }) => file)
        expect(files.filter((file) => !/^(unicode\.ts|minified\.js)$/.test(file))).toEqual([])
        expect(text.replaceAll(`needle|${SECRET}`, '')).not.toContain(SECRET)
      }
    })

    it('C8 counts columns in UTF-16 units and cuts long lines with a mark', async () => {
      const { body } = await call('grep_codebase', { pattern: 'needle' })
      const [minified, unicode] = body.matches as { file: string; column: number; text: string }[]
      expect(unicode).toMatchObject({ file: 'unicode.ts', column: '// 猫🐈 é '.length + 1 })
      expect(minified).toMatchObject({ file: 'minified.js', column: 5001 })
      expect(minified?.text).toMatch(/^…a+needleb+…$/)
      expect(minified?.text.length).toBeLessThan(320)
    })

    it('C8 stops at the limit and says that there is more', async () => {
      const { body } = await call('grep_codebase', { pattern: 'x', filePattern: 'big.txt', limit: 3 })
      expect(body.matches).toHaveLength(3)
      expect(body.truncated).toBe(true)
      expect(body.totalMatches).toBeGreaterThan(3)
      const whole = await call('grep_codebase', { pattern: 'line', filePattern: 'lines.txt', limit: 10 })
      expect(whole.body).toMatchObject({ totalMatches: 10 })
      expect(whole.body).not.toHaveProperty('truncated')
    })

    it.each(['[invalid(', '(', '*a', 'a{2,1}', '(?<n', 'a\0'])('C9 refuses the pattern %j', async (pattern) => {
      const { body, isError } = await call('grep_codebase', { pattern })
      expect(isError).toBe(true)
      expect(body).toEqual({ error: 'Invalid regex pattern', pattern })
    })

    it('C9 finding nothing is no error', async () => {
      const { body, isError } = await call('grep_codebase', { pattern: 'xyznonexistent123' })
      expect(isError).toBe(false)
      expect(body).toMatchObject({
        matches: [],
        totalMatches: 0,
        message: "No matches found for pattern 'xyznonexistent123'",
      })
    })

    it.each([
      '^',
      'a*',
      '\\b',
      '(x+x+)+y',
      '(?=(a+)+$)b',
      '--files',
      '-e',
      "'; echo",
      '$(id)',
      `${'(a|'.repeat(49)}b${')'.repeat(49)}`,
    ])('C8 the pattern %j neither hangs it nor reaches a shell', async (pattern) => {
      // One that hung would be ended by the time limit, with an error.
      const { isError } = await call('grep_codebase', { pattern, limit: 5 })
      expect(isError).toBe(false)
    })

    it.each([
      ['grep_codebase', {}],
      ['grep_codebase', { pattern: '' }],
      ['grep_codebase', { pattern: 'x'.repeat(201) }],
      ['grep_codebase', { pattern: 'x', limit: 0 }],
      ['grep_codebase', { pattern: 'x', limit: 101 }],
      ['grep_codebase', { pattern: 'x', filePattern: 'a\0' }],
      ['grep_codebase', { pattern: 'x', unknown: 1 }],
      ['read_file', {}],
      ['read_file', { path: '' }],
      ['read_file', { path: 7 }],
      ['read_file', { path: 'x', maxDepth: 2 }],
    ])('C2 %s refuses %j with the details', async (tool, args) => {
      const { body, isError } = await call(tool, args)
      expect(isError).toBe(true)
      expect(body).toEqual({
        error: 'Invalid parameters',
        details: expect.arrayContaining([expect.objectContaining({ path: expect.any(String), message: expect.any(String) })]),
      })
    })

    it('C13 an unknown tool is named', async () => {
      await expect(server.client.callTool({ name: 'write_file', arguments: {} })).rejects.toThrow('Unknown tool: write_file')
    })
  })
}

describe('limits', () => {
  it.each([
    ['read_file', { path: 'a' }, 100],
    ['grep_codebase', { pattern: '(' }, 60],
  ])('C11 %s refuses the call after the minute’s share and says when to try again', async (tool, args, share) => {
    const server = await connectStdio()
    const answers = await Promise.all(Array.from({ length: share + 1 }, () => server.call(tool, args)))
    const refused = answers.filter(({ body }) => body.error === `Rate limit exceeded for ${tool}`)
    expect(refused).toHaveLength(1)
    expect(refused[0]?.body).toEqual({
      error: `Rate limit exceeded for ${tool}`,
      message: expect.stringMatching(/^Try again in \d+ s$/),
      retryAfterSeconds: expect.any(Number),
    })
    await server.close()
  })
})
