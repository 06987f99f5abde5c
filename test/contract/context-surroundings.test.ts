import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { AgentsHome } from '../support/agents-home.ts'
import { line } from '../support/dialogs-service.ts'
import { binary, connectStdio, isolatedEnvironment } from '../support/mcp-client.ts'
import { FILES, type Found, makeProject } from '../support/shop-project.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe('accounts of calls', () => {
  it('C12 every call is logged without contents, and counted with its outcome', () => {
    const env = isolatedEnvironment({
      SECRETARY_PROJECT: makeProject(FILES),
      SECRETARY_LOG_LEVEL: 'info',
    })
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [binary, ...args], { env, encoding: 'utf8' })
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
    const refused = await server.attempt('record_discovery', {
      type: 'rule',
      content: 'This cannot be kept',
    })
    expect(refused.result.isError).toBe(true)
    expect(refused.body).toMatchObject({ error: expect.any(String), tool: 'record_discovery' })
    expect(JSON.stringify(refused.body)).not.toMatch(/sqlite|ENOTDIR|at .*\.ts/i)
    expect((await server.call('read_file', { path: 'src/cart/price.ts' })).result.isError).toBe(
      false,
    )
    expect((await server.call('grep_codebase', { pattern: 'grossPrice' })).body.totalMatches).toBe(
      1,
    )
    expect(
      (await server.call('context_search', { query: 'refresh the token' })).body.results,
    ).toContainEqual(expect.objectContaining({ file: 'src/auth/token.ts' }))
    await server.close()
  })
})

describe('context_search where there is nothing to search', () => {
  it('C3 says that nothing is indexed in an empty project', async () => {
    const server = await connectStdio({ env: { SECRETARY_PROJECT: makeProject({}) } })
    const { body, result } = await server.attempt('context_search', { query: 'anything at all' })
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
      env: {
        SECRETARY_PROJECT: makeProject(FILES),
        SECRETARY_EMBEDDINGS_URL: url,
        SECRETARY_RATE_LIMITS: 'off',
      },
    })
    const query = { query: 'refresh the token' }
    // Until the index is whole an answer may come by words alone, which no service can spoil.
    const isWhole = async () => {
      const { body, result } = await server.call('context_search', query)
      return result.isError !== true && body.partial !== true
    }
    await expect.poll(isWhole, { timeout: 120_000 }).toBe(true)
    isDown = true
    const { body, result } = await server.attempt('context_search', {
      query: 'another question about tokens',
    })
    expect(result.isError).toBe(true)
    expect(body).toMatchObject({
      error: 'Failed to generate query embedding',
      details: expect.stringContaining('400'),
    })
    await server.close()
    service.close()
  })

  it('C11 context_search refuses the thirty-first call of a minute', async () => {
    const server = await connectStdio({
      env: { SECRETARY_PROJECT: makeProject({ 'a.txt': 'words' }) },
    })
    const answers = await Promise.all(
      Array.from({ length: 31 }, () => server.attempt('context_search', { query: 'words' })),
    )
    expect(
      answers.filter(({ body }) => body.error === 'Rate limit exceeded for context_search'),
    ).toHaveLength(1)
    await server.close()
  })

  it("C14 nobody finds another user's discoveries", async () => {
    const env = {
      SECRETARY_HOME: join(temporaryFolder(), 'home'),
      SECRETARY_PROJECT: makeProject(FILES),
    }
    const ada = await connectStdio({ env: { ...env, SECRETARY_USER: 'ada' } })
    const bob = await connectStdio({ env: { ...env, SECRETARY_USER: 'bob' } })
    await ada.call('record_discovery', {
      type: 'decision',
      content: 'Ada decided to keep kittens in the warehouse',
    })
    const query = { query: 'kittens in the warehouse', type: 'decision' }
    expect((await ada.call('context_search', query)).body.results).toHaveLength(1)
    expect(
      JSON.stringify((await bob.call('context_search', query)).body.results ?? []),
    ).not.toContain('kittens')
    await Promise.all([ada.close(), bob.close()])
  })

  it('C1 C14 finds what was said in a dialog for the person whose dialog it is, and no suggestion drawn from it', async () => {
    const home = new AgentsHome(temporaryFolder())
    home.claude(
      's1.jsonl',
      line('We decided to store invoices as immutable ledger rows.', {
        sessionId: 's1',
        cwd: home.project,
      }),
    )
    // Once the dialog is deleted there is still something to search.
    writeFileSync(join(home.project, 'paint.ts'), 'export const paint = 1\n')
    const env = { ...home.env, SECRETARY_RATE_LIMITS: 'off', SECRETARY_USER: 'ada' }
    const ada = await connectStdio({ env })
    const query = { query: 'immutable ledger rows for invoices', limit: 10 }
    const found = await vi.waitFor(async () => {
      const results = ((await ada.call('context_search', query)).body.results ?? []) as Found[]
      expect(results.map(({ source }) => source)).toContain('session')
      return results
    }, 120_000)
    expect(found.map(({ source }) => source)).not.toContain('discovery')
    expect(found.find(({ source }) => source === 'session')).toMatchObject({ session: 's1' })
    const { body } = await ada.call('copilot_chat_secretary_recall', {})
    expect(JSON.stringify(body)).toContain('immutable ledger rows')
    await ada.close()
    rmSync(join(home.claudeFolder(), 's1.jsonl'))
    const later = await connectStdio({ env })
    const sources = async () => {
      const { body: answer } = await later.call('context_search', query)
      return ((answer.results ?? []) as Found[]).map(({ source }) => source)
    }
    await expect.poll(sources).not.toContain('session')
    await later.close()
    const bob = await connectStdio({
      env: { ...env, SECRETARY_USER: 'bob', HOME: temporaryFolder() },
    })
    expect(
      JSON.stringify((await bob.call('context_search', query)).body.results ?? []),
    ).not.toContain('ledger')
    await bob.close()
  })
})
