import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { AgentsHome } from '../support/agents-home.ts'
import { line } from '../support/dialogs-service.ts'
import { engines } from '../support/engines.ts'
import { binary, type Connection, connectStdio, isolatedEnvironment, transports } from '../support/mcp-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

interface Found {
  id: string
  type: string
  content: string
  module: string | null
  session: string | null
  date: string
  score: number
  source: string
  file?: string
  line?: number
  endLine?: number
  symbol?: string
  needs_recheck?: true
  changedFiles?: string[]
  factors?: Record<string, number>
}

function makeProject(files: Readonly<Record<string, string>>): string {
  const root = join(temporaryFolder(), 'project')
  mkdirSync(root)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

const FILES = {
  'package.json': '{"name":"shop","description":"Sells things","bin":"cli.js","dependencies":{"express":"5","react":"19"}}',
  'package-lock.json': '{}',
  'src/auth/token.ts':
    '/** Refreshes an access token before it expires. */\nexport function refreshToken(old: string): string {\n  return old\n}\n',
  'src/auth/session.ts': 'export class SessionStore {\n  close(): void {}\n}\n',
  'src/cart/price.ts':
    '/** Adds tax to the net price. */\nexport function grossPrice(net: number): number {\n  return net * 1.2\n}\n',
  '.env': 'REFRESH_TOKEN=hush',
}

for (const engine of engines) {
  for (const { name, connect } of transports) {
    describe(`context_search and discoveries over ${name} on ${engine.name}`, () => {
      let server: Connection
      let root: string
      const call = async (tool: string, args: Record<string, unknown>) => {
        const { body, result } = await server.call(tool, args)
        return { body, isError: result.isError === true }
      }
      const search = async (args: Record<string, unknown>) => (await call('context_search', args)).body.results as Found[]
      const text = async (uri: string) => {
        const [content] = (await server.client.readResource({ uri })).contents
        return content && 'text' in content ? String(content.text) : ''
      }

      beforeAll(async () => {
        root = makeProject(FILES)
        server = await connect({ env: { ...(await engine.fresh()), SECRETARY_PROJECT: root, SECRETARY_RATE_LIMITS: 'off' } })
        await vi.waitFor(async () => expect((await call('context_search', { query: 'token' })).isError).toBe(false), 120_000)
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
        expect(recorded.body).toMatchObject({ type: 'pattern', module: 'auth', session: expect.any(String), confidence: 1 })
        const [found] = await search({ query: 'JWT authentication', type: 'pattern', module: 'auth' })
        expect(found).toMatchObject({
          id: recorded.body.id,
          type: 'pattern',
          content: 'Use JWT tokens in httpOnly cookies',
          module: 'auth',
          session: recorded.body.session,
          source: 'discovery',
        })
        expect(await search({ query: 'JWT authentication', type: 'issue' })).toEqual([])
        expect((await search({ query: 'JWT cookies', limit: 20 })).map(({ source }) => source)).toContain('discovery')
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
        expect((await search(query))[0]).toMatchObject({ needs_recheck: true, changedFiles: ['src/auth/session.ts'] })
      })

      it.each([
        [{ type: 'rumour', content: 'x is y' }, 'Invalid parameters'],
        [{ type: 'rule' }, 'Invalid parameters'],
        [{ type: 'rule', content: 'a\0b is c' }, 'Invalid parameters'],
        [{ type: 'rule', content: 'Secrets live here', files: ['.env'] }, 'Permission denied'],
        [{ type: 'rule', content: 'Something outside', files: ['../x'] }, 'Path traversal not allowed'],
      ])('C14 refuses %j and keeps nothing of it', async (args, error) => {
        const { body, isError } = await call('record_discovery', args)
        expect(isError).toBe(true)
        expect(body.error).toBe(error)
      })

      it.each([{ query: 'ab' }, { query: '' }, { query: '  a  ' }])('C2 refuses the short query in %j', async (args) => {
        const { body, isError } = await call('context_search', args)
        expect(isError).toBe(true)
        expect(body).toEqual({
          error: 'Query must be at least 3 characters',
          details: [expect.objectContaining({ path: 'query', message: expect.any(String) })],
        })
      })

      it.each([
        {},
        { query: 5 },
        { query: 'x'.repeat(501) },
        { query: 'abc', type: 'all-of-it' },
        { query: 'abc', limit: 0 },
        { query: 'abc', limit: 21 },
        { query: 'abc', limit: 2.5 },
        { query: 'abc', more: true },
      ])('C2 refuses %j with the details', async (args) => {
        const { body, isError } = await call('context_search', args)
        expect(isError).toBe(true)
        expect(body).toEqual({ error: 'Invalid parameters', details: expect.arrayContaining([expect.anything()]) })
      })

      it.each(['"); DROP TABLE notes;--', 'NEAR(a b) OR *', '%%%', '猫🐈 search', `a${'"'.repeat(100)}`])(
        'C1 takes the query %j for words and nothing else',
        async (query) => {
          expect((await call('context_search', { query })).isError).toBe(false)
        },
      )

      it('C5 counts accesses and keeps the score at 0.6 and a little more for each of the day', async () => {
        for (let n = 0; n < 3; n++) await call('read_file', { path: 'src/cart/price.ts' })
        expect(await text('context://project/overview')).toMatch(/- src\/cart\/price\.ts \(read 3×, score 0\.61\)/)
        expect(await text('context://session/current')).toMatch(/- src\/cart\/price\.ts \(3×, last \d{4}-/)
      })

      it('resources: the overview, a module, the sessions, and not found for the rest', async () => {
        const { resources } = await server.client.listResources()
        expect(resources.map(({ uri }) => uri)).toEqual(
          expect.arrayContaining(['context://project/overview', 'context://module/auth', 'context://sessions/recent']),
        )
        const overview = await text('context://project/overview')
        expect(overview).toContain('# shop')
        expect(overview).toContain('- Type: fullstack')
        expect(overview).toContain('- Package manager: npm')
        expect(overview).toContain('- auth: src/auth (2 files)')
        expect(await text('context://module/auth')).toContain('src/auth/token.ts')
        expect(await text('context://sessions/recent?limit=5')).toContain('active')
        for (const uri of ['context://module/nothing', 'context://project/x', 'context://module/%2e%2e', 'context://nowhere'])
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
}

describe('accounts of calls', () => {
  it('C12 every call is logged without contents, and counted with its outcome', () => {
    const env = isolatedEnvironment({ SECRETARY_PROJECT: makeProject(FILES), SECRETARY_LOG_LEVEL: 'info' })
    const run = (...args: string[]) => spawnSync(process.execPath, [binary, ...args], { env, encoding: 'utf8' })
    const { stderr } = run('call', 'read_file', '{"path":"src/cart/price.ts"}')
    run('call', 'read_file', '{"path":"missing.ts"}')
    const line = stderr.split('\n').find((candidate) => candidate.includes('tool call')) ?? '{}'
    expect(JSON.parse(line)).toMatchObject({
      tool: 'read_file',
      params: { path: 'src/cart/price.ts' },
      ms: expect.any(Number),
      size: expect.any(Number),
      success: true,
    })
    expect(stderr).not.toContain('grossPrice')
    const stats = JSON.parse(run('stats', '--json').stdout) as Record<string, unknown>[]
    expect(stats).toContainEqual(
      expect.objectContaining({
        tool: 'read_file',
        calls: 2,
        successRate: 0.5,
        errors: { not_found: 1 },
        p50Ms: expect.any(Number),
        p95Ms: expect.any(Number),
        p99Ms: expect.any(Number),
        rateLimitHits: 0,
      }),
    )
  })
})

describe('where nothing can be written', () => {
  it('C13 a tool that must write names itself in its failure, and the others still answer', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'file'), '')
    const server = await connectStdio({
      env: { SECRETARY_HOME: join(folder, 'file', 'home'), SECRETARY_PROJECT: makeProject(FILES) },
    })
    const refused = await server.call('record_discovery', { type: 'rule', content: 'This cannot be kept' })
    expect(refused.result.isError).toBe(true)
    expect(refused.body).toMatchObject({ error: expect.any(String), tool: 'record_discovery' })
    expect(JSON.stringify(refused.body)).not.toMatch(/sqlite|ENOTDIR|at .*\.ts/i)
    expect((await server.call('read_file', { path: 'src/cart/price.ts' })).result.isError).toBe(false)
    expect((await server.call('grep_codebase', { pattern: 'grossPrice' })).body.totalMatches).toBe(1)
    expect((await server.call('context_search', { query: 'refresh the token' })).body.results).toContainEqual(
      expect.objectContaining({ file: 'src/auth/token.ts' }),
    )
    await server.close()
  })
})

describe('context_search where there is nothing to search', () => {
  it('C3 says that nothing is indexed in an empty project', async () => {
    const server = await connectStdio({ env: { SECRETARY_PROJECT: makeProject({}) } })
    const { body, result } = await server.call('context_search', { query: 'anything at all' })
    expect(result.isError).toBe(true)
    expect(body).toEqual({
      error: 'No embeddings found. Run initial session to generate context.',
      fallback: 'Use grep_codebase for text search',
    })
    await server.close()
  })

  it('C3 names the embedding service when it fails', async () => {
    let isDown = false
    const service = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('end', () => {
        if (isDown) return response.writeHead(400).end('{}')
        const { input } = JSON.parse(body) as { input: string[] }
        const data = input.map((given, index) => ({ index, embedding: [given.length, 1, 2, 3] }))
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }))
      })
    })
    await new Promise<void>((ready) => service.listen(0, '127.0.0.1', ready))
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`
    const server = await connectStdio({
      env: { SECRETARY_PROJECT: makeProject(FILES), SECRETARY_EMBEDDINGS_URL: url, SECRETARY_RATE_LIMITS: 'off' },
    })
    const query = { query: 'refresh the token' }
    // Until the index is whole an answer may come by words alone, which no service can spoil.
    const isWhole = async () => {
      const { body, result } = await server.call('context_search', query)
      return result.isError !== true && body.partial !== true
    }
    await expect.poll(isWhole, { timeout: 120_000 }).toBe(true)
    isDown = true
    const { body, result } = await server.call('context_search', { query: 'another question about tokens' })
    expect(result.isError).toBe(true)
    expect(body).toMatchObject({ error: 'Failed to generate query embedding', details: expect.stringContaining('400') })
    await server.close()
    service.close()
  })

  it('C11 context_search refuses the thirty-first call of a minute', async () => {
    const server = await connectStdio({ env: { SECRETARY_PROJECT: makeProject({ 'a.txt': 'words' }) } })
    const answers = await Promise.all(Array.from({ length: 31 }, () => server.call('context_search', { query: 'words' })))
    expect(answers.filter(({ body }) => body.error === 'Rate limit exceeded for context_search')).toHaveLength(1)
    await server.close()
  })

  it("C14 nobody finds another user's discoveries", async () => {
    const env = { SECRETARY_HOME: join(temporaryFolder(), 'home'), SECRETARY_PROJECT: makeProject(FILES) }
    const ada = await connectStdio({ env: { ...env, SECRETARY_USER: 'ada' } })
    const bob = await connectStdio({ env: { ...env, SECRETARY_USER: 'bob' } })
    await ada.call('record_discovery', { type: 'decision', content: 'Ada decided to keep kittens in the warehouse' })
    const query = { query: 'kittens in the warehouse', type: 'decision' }
    expect((await ada.call('context_search', query)).body.results).toHaveLength(1)
    expect(JSON.stringify((await bob.call('context_search', query)).body.results ?? [])).not.toContain('kittens')
    await Promise.all([ada.close(), bob.close()])
  })

  it('C1 C14 finds what was said in a dialog, and the decision drawn from it, for the person whose dialog it is', async () => {
    const home = new AgentsHome(temporaryFolder())
    home.claude(
      's1.jsonl',
      line('We decided to store invoices as immutable ledger rows.', { sessionId: 's1', cwd: home.project }),
    )
    const env = { ...home.env, SECRETARY_RATE_LIMITS: 'off', SECRETARY_USER: 'ada' }
    const ada = await connectStdio({ env })
    const query = { query: 'immutable ledger rows for invoices', limit: 10 }
    const found = await vi.waitFor(async () => {
      const results = ((await ada.call('context_search', query)).body.results ?? []) as Found[]
      expect(results.map(({ source }) => source)).toEqual(expect.arrayContaining(['session', 'discovery']))
      return results
    }, 120_000)
    expect(found.find(({ source }) => source === 'discovery')).toMatchObject({ type: 'decision', session: 's1' })
    expect(found.find(({ source }) => source === 'session')).toMatchObject({ session: 's1' })
    const { body } = await ada.call('copilot_chat_secretary_recall', {})
    expect(JSON.stringify(body)).toContain('immutable ledger rows')
    await ada.close()
    const bob = await connectStdio({ env: { ...env, SECRETARY_USER: 'bob', HOME: temporaryFolder() } })
    expect(JSON.stringify((await bob.call('context_search', query)).body.results ?? [])).not.toContain('ledger')
    await bob.close()
  })
})
