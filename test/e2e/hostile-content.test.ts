import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOSTILE_FILES, writeHostileProject } from '../support/hostile-corpus.ts'
import {
  type Connection,
  connectToUrl,
  type HttpServer,
  startHttpServer,
} from '../support/mcp-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Each of these is answered, and the server answers others meanwhile; what hangs runs into the time limit of the test. */
describe('a project whose files were written to stall their reader', () => {
  let server: HttpServer
  let agent: Connection
  const root = join(temporaryFolder(), 'project')
  const answered = async (tool: string, args: Record<string, unknown>) => {
    const [{ body, result }, health] = await Promise.all([
      agent.attempt(tool, args),
      fetch(`${server.url}/health`),
    ])
    expect(health.status).toBe(200)
    expect(JSON.stringify(body)).not.toContain('incident')
    return { body, isError: result.isError === true }
  }

  beforeAll(async () => {
    writeHostileProject(root)
    server = await startHttpServer({
      env: { SECRETARY_PROJECT: root, SECRETARY_RATE_LIMITS: 'off' },
    })
    agent = await connectToUrl(server.url, { headers: server.headers })
  })
  afterAll(async () => {
    await agent.close()
    await server.stop()
  })

  it('has at least forty of them', () => {
    expect(Object.keys(HOSTILE_FILES).length).toBeGreaterThanOrEqual(40)
  })

  it('is indexed, and what is worth finding is found', async () => {
    const search = async () => (await answered('context_search', { query: 'lighthouse' })).body
    const first = async () => ((await search()).results as { file: string }[])[0]?.file
    await expect.poll(first).toBe('src/answer.ts')
    await expect.poll(async () => (await search()).partial).toBeUndefined()
  })

  it.each(Object.keys(HOSTILE_FILES))('%s is read, with what it imports', async (path) => {
    await answered('read_file', { path, includeDeps: true })
  })

  it.each(['(a+)+b', '(a|a)*c', '(?=(a+))\\1b', '.*.*.*=.*', 'e', '\\s+$'])(
    'is searched for %s',
    async (pattern) => {
      await answered('grep_codebase', { pattern })
    },
  )

  it('is searched to its end, whatever stands in place of ignore files', async () => {
    const { body } = await answered('grep_codebase', { pattern: 'lighthouse' })
    expect(body).toMatchObject({ totalMatches: 1, matches: [{ file: 'src/answer.ts' }] })
    expect(body).not.toHaveProperty('truncated')
  })

  it.each([
    '(a+)+b',
    '**/**/**/**/**/*a*a*a*a*b',
    '{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}',
    '[[[[[',
    '*'.repeat(200),
  ])('is filtered by %s', async (filePattern) => {
    await answered('grep_codebase', { pattern: 'x', filePattern })
    await answered('guide_get_content', { expression: 'rules', pattern: filePattern })
    await answered('guide_get_content', { expression: `rules/${filePattern}` })
  })

  it('is described, listed and shown as rules', async () => {
    for (const uri of ['context://project/overview', 'context://module/src'])
      await agent.client.readResource({ uri }).catch(() => undefined)
    await agent.client.listResources()
    await answered('guide_get_content', { expression: 'rules' })
    await answered('guide_category_list', {})
    await answered('guide_get_project', {})
  })

  it.each([
    '/api/v1/find?q=lighthouse',
    '/api/v1/setup',
    '/api/v1/setup/claude-code',
    '/api/v1/setup/vscode',
    '/api/v1/dialogs/why?file=src/answer.ts&line=1',
    '/api/v1/guide/received',
  ])('is looked at by a person: %s', async (path) => {
    const answer = await fetch(`${server.url}${path}`, { headers: server.headers })
    expect([200, 404]).toContain(answer.status)
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
  })

  it('takes names and texts of any length in its arguments', async () => {
    const long = 'a'.repeat(20_000)
    for (const [tool, args] of [
      ['read_file', { path: `${long}/${long}` }],
      ['grep_codebase', { pattern: 'x', filePattern: long }],
      ['guide_get_content', { expression: `${long}/${long}+${long}` }],
      ['guide_set_project_flag', { name: long, value: true }],
      ['record_discovery', { type: 'rule', content: 'x '.repeat(1_000), files: [long] }],
      ['copilot_chat_secretary_get_request', { index: 1, sessionId: long }],
      ['copilot_chat_secretary_search_requests', { query: '(a+)+b' }],
    ] as const)
      await answered(tool, args)
  })
})
