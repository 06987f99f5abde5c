import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Answer, Connection } from '../support/mcp-client.ts'
import { setups } from '../support/setups.ts'
import { FILES, type Found, makeProject } from '../support/shop-project.ts'

for (const { name, connect, engine } of setups) {
  describe(`context_search and discoveries over ${name}`, () => {
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
    const search = async (args: Record<string, unknown>) =>
      (await call('context_search', args)).body.results as Found[]
    const text = async (uri: string) => {
      const [content] = (await server.client.readResource({ uri })).contents
      return content && 'text' in content ? String(content.text) : ''
    }

    beforeAll(async () => {
      root = makeProject(FILES)
      server = await connect({
        env: { ...(await engine.fresh()), SECRETARY_PROJECT: root, SECRETARY_RATE_LIMITS: 'off' },
      })
      await vi.waitFor(
        async () => expect((await call('context_search', { query: 'token' })).isError).toBe(false),
        120_000,
      )
    })
    afterAll(() => server.close())

    it('C1 finds code by meaning, with its place, best first', async () => {
      const { body } = await call('context_search', { query: 'renew the access token', limit: 3 })
      const results = body.results as Found[]
      expect(results[0]).toMatchObject({
        id: expect.any(String),
        type: 'code',
        content: expect.stringContaining('refreshToken'),
        module: 'auth',
        session: null,
        date: expect.stringMatching(/^\d{4}-/),
        source: 'code',
        file: 'src/auth/token.ts',
        line: expect.any(Number),
        endLine: expect.any(Number),
      })
      expect(body).toMatchObject({
        query: 'renew the access token',
        totalFound: expect.any(Number),
        searchTime: expect.any(Number),
      })
      expect(results.length).toBeLessThanOrEqual(3)
      const scores = results.map(({ score }) => score)
      expect(scores).toEqual([...scores].sort((a, b) => b - a))
      expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true)
      expect(JSON.stringify(body)).not.toContain('hush')
    })

    it('C1 shows what a score is made of when asked to', async () => {
      expect((await search({ query: 'gross price', explain: true }))[0]?.factors).toBeDefined()
      expect((await search({ query: 'gross price' }))[0]?.factors).toBeUndefined()
    })

    it('C1 C14 finds a recorded discovery by type and module, and nothing of another type', async () => {
      const recorded = await call('record_discovery', {
        type: 'pattern',
        content: 'Use JWT tokens in httpOnly cookies',
        module: 'auth',
      })
      expect(recorded.body).toMatchObject({
        type: 'pattern',
        module: 'auth',
        session: expect.any(String),
        confidence: 1,
      })
      const [found] = await search({
        query: 'JWT authentication',
        type: 'pattern',
        module: 'auth',
      })
      expect(found).toMatchObject({
        id: recorded.body.id,
        type: 'pattern',
        content: 'Use JWT tokens in httpOnly cookies',
        module: 'auth',
        session: recorded.body.session,
        source: 'discovery',
      })
      expect(await search({ query: 'JWT authentication', type: 'issue' })).toEqual([])
      expect(
        (await search({ query: 'JWT cookies', limit: 20 })).map(({ source }) => source),
      ).toContain('discovery')
    })

    it('C14 confirms what is known already, and keeps apart what says the opposite', async () => {
      const first = await call('record_discovery', {
        type: 'rule',
        content: 'Prices must always be rounded to cents in src/cart/price.ts',
      })
      const again = await call('record_discovery', {
        type: 'rule',
        content: 'Prices must always be rounded to cents, in src/cart/price.ts!',
      })
      expect(again.body).toMatchObject({ id: first.body.id, merged: true })
      const opposite = await call('record_discovery', {
        type: 'rule',
        content: 'Prices must not always be rounded to cents in src/cart/price.ts',
      })
      expect(opposite.body.id).not.toBe(first.body.id)
    })

    it('C14 a discovery says when a file it speaks of has changed since', async () => {
      await call('record_discovery', {
        type: 'decision',
        content: 'Sessions are closed by the store and nowhere else',
        files: ['src/auth/session.ts'],
      })
      const query = { query: 'who closes sessions', type: 'decision' }
      expect((await search(query))[0]?.needs_recheck).toBeUndefined()
      writeFileSync(join(root, 'src/auth/session.ts'), 'export class SessionStore {}\n')
      expect((await search(query))[0]).toMatchObject({
        needs_recheck: true,
        changedFiles: ['src/auth/session.ts'],
      })
    })

    it.each([
      [{ type: 'rumour', content: 'x is y' }, 'Invalid parameters'],
      [{ type: 'rule' }, 'Invalid parameters'],
      [{ type: 'rule', content: 'a\0b is c' }, 'Invalid parameters'],
      [{ type: 'rule', content: 'Secrets live here', files: ['.env'] }, 'Permission denied'],
      [
        { type: 'rule', content: 'Something outside', files: ['../x'] },
        'Path traversal not allowed',
      ],
    ])('C14 refuses %j and keeps nothing of it', async (args, error) => {
      const { body, isError } = await attempt('record_discovery', args)
      expect(isError).toBe(true)
      expect(body.error).toBe(error)
    })

    it.each([{ query: 'ab' }, { query: '' }, { query: '  a  ' }])(
      'C2 refuses the short query in %j',
      async (args) => {
        const { body, isError } = await attempt('context_search', args)
        expect(isError).toBe(true)
        expect(body).toEqual({
          error: 'Query must be at least 3 characters',
          details: [expect.objectContaining({ path: 'query', message: expect.any(String) })],
        })
      },
    )

    it.each([
      {},
      { query: 5 },
      { query: 'x'.repeat(8_001) },
      { query: 'abc', type: 'all-of-it' },
      { query: 'abc', limit: 0 },
      { query: 'abc', limit: 21 },
      { query: 'abc', limit: 2.5 },
      { query: 'abc', more: true },
    ])('C2 refuses %j with the details', async (args) => {
      const { body, isError } = await attempt('context_search', args)
      expect(isError).toBe(true)
      expect(body).toEqual({
        error: 'Invalid parameters',
        details: expect.arrayContaining([expect.anything()]),
      })
    })

    it.each([
      '"); DROP TABLE notes;--',
      'NEAR(a b) OR *',
      '%%%',
      '猫🐈 search',
      `a${'"'.repeat(100)}`,
    ])('C1 takes the query %j for words and nothing else', async (query) => {
      expect((await call('context_search', { query })).isError).toBe(false)
    })

    it('C5 counts accesses and keeps the score at 0.6 and a little more for each of the day', async () => {
      for (let n = 0; n < 3; n++) await call('read_file', { path: 'src/cart/price.ts' })
      expect(await text('context://project/overview')).toMatch(
        /- src\/cart\/price\.ts \(read 3×, score 0\.61\)/,
      )
      expect(await text('context://session/current')).toMatch(
        /- src\/cart\/price\.ts \(3×, last \d{4}-/,
      )
    })

    it('resources: the overview, a module, the sessions, and not found for the rest', async () => {
      const { resources } = await server.client.listResources()
      expect(resources.map(({ uri }) => uri)).toEqual(
        expect.arrayContaining([
          'context://project/overview',
          'context://module/auth',
          'context://sessions/recent',
        ]),
      )
      const overview = await text('context://project/overview')
      expect(overview).toContain('# shop')
      expect(overview).toContain('- Type: fullstack')
      expect(overview).toContain('- Package manager: npm')
      expect(overview).toContain('- auth: src/auth (2 files)')
      for (const path of ['src/auth/token.ts', 'src/cart/price.ts', 'package.json']) {
        const { metadata } = (await call('read_file', { path })).body as {
          metadata: { module: string }
        }
        expect(await text(`context://module/${metadata.module}`)).toContain(`- ${path}\n`)
      }
      expect(await text('context://module/auth')).toContain('src/auth/token.ts')
      expect(await text('context://sessions/recent?limit=5')).toContain('active')
      for (const uri of [
        'context://module/nothing',
        'context://project/x',
        'context://module/%2e%2e',
        'context://nowhere',
      ])
        await expect(server.client.readResource({ uri })).rejects.toThrow()
    })

    it('C10 says how long it took, and no longer than it did', async () => {
      for (const [tool, args] of [
        ['context_search', { query: 'session store' }],
        ['grep_codebase', { pattern: 'token' }],
      ] as const) {
        const started = performance.now()
        const { body } = await call(tool, args)
        expect(body.searchTime).toBeGreaterThanOrEqual(0)
        expect(body.searchTime).toBeLessThanOrEqual(performance.now() - started + 1)
      }
    })
  })
}
