import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guardedProject, SECRET } from '../support/guarded-project.ts'
import type { Answer, Connection } from '../support/mcp-client.ts'
import { connect } from '../support/setups.ts'

describe('grep_codebase', () => {
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
    expect(
      (await call('grep_codebase', { pattern: 'FINDME', caseSensitive: true })).body.totalMatches,
    ).toBe(0)
  })

  it('C8 leaves out ignored files, the excluded folders and secrets, even where a glob names them', async () => {
    for (const filePattern of [
      undefined,
      '**/*',
      '**/*.ts',
      'dist/**',
      'node_modules/**',
      '.env*',
      '*.js',
    ]) {
      const { body, text } = await call('grep_codebase', {
        pattern: `needle|${SECRET}`,
        filePattern,
      })
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
    const { body } = await call('grep_codebase', {
      pattern: 'x',
      filePattern: 'big.txt',
      limit: 3,
    })
    expect(body.matches).toHaveLength(3)
    expect(body.truncated).toBe(true)
    expect(body.totalMatches).toBeGreaterThan(3)
    const whole = await call('grep_codebase', {
      pattern: 'line',
      filePattern: 'lines.txt',
      limit: 10,
    })
    expect(whole.body).toMatchObject({ totalMatches: 10 })
    expect(whole.body).not.toHaveProperty('truncated')
  })

  it.each(['[invalid(', '(', '*a', 'a{2,1}', '(?<n', 'a\0'])(
    'C9 refuses the pattern %j',
    async (pattern) => {
      const { body, isError } = await attempt('grep_codebase', { pattern })
      expect(isError).toBe(true)
      expect(body).toEqual({ error: 'Invalid regex pattern', pattern })
    },
  )

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
    const { body, isError } = await attempt(tool, args)
    expect(isError).toBe(true)
    expect(body).toEqual({
      error: 'Invalid parameters',
      details: expect.arrayContaining([
        expect.objectContaining({ path: expect.any(String), message: expect.any(String) }),
      ]),
    })
  })
})

describe('limits', () => {
  it.each([
    ['read_file', { path: 'a' }, 100],
    ['grep_codebase', { pattern: '(' }, 60],
  ])(
    'C11 %s refuses the call after the minute’s share and says when to try again',
    async (tool, args, share) => {
      const server = await connect()
      const answers = await Promise.all(
        Array.from({ length: share + 1 }, () => server.attempt(tool, args)),
      )
      const refused = answers.filter(({ body }) => body.error === `Rate limit exceeded for ${tool}`)
      expect(refused).toHaveLength(1)
      expect(refused[0]?.body).toEqual({
        error: `Rate limit exceeded for ${tool}`,
        message: expect.stringMatching(/^Try again in \d+ s$/),
        retryAfterSeconds: expect.any(Number),
      })
      await server.close()
    },
  )
})
