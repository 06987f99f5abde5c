import { execFileSync } from 'node:child_process'
import { appendFileSync, rmSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AgentsHome } from '../support/agents-home.ts'
import {
  binary,
  type Connection,
  connectStdio,
  connectToUrl,
  isolatedEnvironment,
  startHttpServer,
  transports,
} from '../support/mcp-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const tool = (name: string) => `copilot_chat_secretary_${name}`

for (const { name, connect } of transports) {
  describe(`dialogs over ${name}`, () => {
    let home: AgentsHome
    let agent: Connection
    const get = (args?: Record<string, unknown>) => agent.call(tool('get_request'), args)
    const first = (args?: Record<string, unknown>) => agent.call(tool('get_first_request'), args)

    beforeAll(async () => {
      home = new AgentsHome(temporaryFolder())
      home.claude()
      home.vscode('log.jsonl', 'vs-log.jsonl')
      home.vscode('v3.json', 'vs-v3.json')
      agent = await connect({ env: home.env, clientName: 'claude-code' })
    })
    afterAll(() => agent.close())

    it('D1 gives a request of the current dialog in full', async () => {
      const { body, result } = await get({ index: 1 })
      expect(body).toEqual({
        success: true,
        sessionId: 'cc-main',
        request: 'Let people log in with a passkey.\nKeep the password form as it is.',
        index: 1,
        timestamp: Date.parse('2026-01-15T10:00:00.000Z'),
        totalRequests: 4,
      })
      expect(result.isError).toBeFalsy()
    })

    it('D2 gives a request of the session that was named', async () => {
      const { body } = await get({ index: 3, sessionId: 'vs-log' })
      expect(body).toMatchObject({
        success: true,
        sessionId: 'vs-log',
        request: 'Write a test for it\nand run it 🧪',
        totalRequests: 3,
      })
    })

    it.each([0, -1])('D3 refuses index %d', async (index) => {
      const { body, result } = await get({ index })
      expect(body).toEqual({ success: false, error: 'Index must be 1 or greater' })
      expect(result.isError).toBe(true)
    })

    it('D4 refuses an index past the last request', async () => {
      expect((await get({ index: 10 })).body).toEqual({ success: false, error: 'Index 10 exceeds total requests (4)' })
    })

    it.each([{}, { index: null }])('D5 demands an index: %j', async (args) => {
      expect((await get(args)).body).toEqual({ success: false, error: 'Index parameter is required' })
    })

    it.each([1.5, 'two', '2', true, [1], 1e300])('D3 refuses the index %j in plain words', async (index) => {
      expect((await get({ index })).body).toEqual({ success: false, error: 'Index must be a whole number' })
    })

    it('D7 gives the first request as a preview of at most 80 characters', async () => {
      expect((await first()).body).toEqual({
        success: true,
        sessionId: 'cc-main',
        firstRequest: 'Let people log in with a passkey.\nKeep the password form as it is.',
        timestamp: Date.parse('2026-01-15T10:00:00.000Z'),
        requestsCount: 4,
      })
      expect((await first({ sessionId: 'vs-v3' })).body).toMatchObject({ sessionId: 'vs-v3', requestsCount: 2 })
    })

    it('D8 says which session was not found', async () => {
      expect((await first({ sessionId: 'non-existent' })).body).toEqual({
        success: false,
        error: 'Session not found: non-existent',
      })
      expect((await get({ index: 1, sessionId: 'non-existent' })).body).toEqual({
        success: false,
        error: 'Session not found: non-existent',
      })
    })
  })
}

describe('dialogs', () => {
  it('D8 says so where there is no dialog', async () => {
    const agent = await connectStdio()
    expect((await agent.call(tool('get_first_request'))).body).toEqual({ success: false, error: 'No active dialog found' })
    expect((await agent.call(tool('get_request'), { index: 1 })).body).toEqual({
      success: false,
      error: 'No active dialog found',
    })
    await agent.close()
  })

  it('D6 says that the chat data is gone once the agent has deleted its file', async () => {
    const home = new AgentsHome(temporaryFolder())
    const path = home.claude()
    const agent = await connectStdio({ env: home.env })
    expect((await agent.call(tool('get_request'), { index: 1 })).body.success).toBe(true)
    rmSync(path)
    expect((await agent.call(tool('get_request'), { index: 1, sessionId: 'cc-main' })).body).toEqual({
      success: false,
      error: 'Chat data not available for session',
    })
    await agent.close()
  })

  it('shows a request that was appended a moment ago', async () => {
    const home = new AgentsHome(temporaryFolder())
    const path = home.claude()
    const agent = await connectStdio({ env: home.env })
    expect((await agent.call(tool('get_first_request'))).body.requestsCount).toBe(4)
    appendFileSync(path, `${JSON.stringify({ type: 'user', cwd: home.project, message: { content: 'One more thing' } })}\n`)
    expect((await agent.call(tool('get_request'), { index: 5 })).body.request).toBe('One more thing')
    await agent.close()
  })
})

/** Every source, with what the person typed in it and what they did not. */
const spoken: readonly [source: string, sessionId: string, requests: readonly string[]][] = [
  [
    'claude-code',
    'cc-main',
    [
      'Let people log in with a passkey.\nKeep the password form as it is.',
      '/review the last commit',
      'Also log out other devices; the body has "tool_use_id" in it',
      'and write it down in the changelog',
    ],
  ],
  [
    'vscode',
    'vs-log',
    ['Add a dark theme to the settings page, please', 'Now make the contrast higher', 'Write a test for it\nand run it 🧪'],
  ],
  ['vscode', 'vs-v3', ['Why is this test flaky? "quoted" \\ and [brackets] {too}', 'Stop']],
  ['vscode', 'vs-v2', ['Explain this regex']],
  ['vscode', 'vs-v1', ['What does this function do?']],
  ['codex', '0199aaaa-1111-7222-8333-444455556666', ['Port the parser to Rust', 'And benchmark it']],
  ['codex', '0188bbbb-1111-7222-8333-444455556666', ['Say what this repository does']],
  ['gemini-cli', 'gem-json', ['Draw the module graph', 'Without the tests']],
  ['gemini-cli', 'gem-jsonl', ['Rename the flag', 'Rename it everywhere', 'Then say so in the docs']],
  ['copilot-cli', 'copilot-cli-1', ['Why does CI fail?', 'Fix it']],
  ['cline', '1768800000000', ['Build a landing page', 'Make it blue']],
  ['cursor', 'cur-1', ['Retry the upload three times', 'With a growing delay']],
  ['cursor', 'cur-old', ['An older talk']],
  ['opencode', 'ses_1', ['Cache the answers', 'For an hour only']],
  ['opencode', 'ses_old', ['Count the words']],
]

describe('sources', () => {
  let home: AgentsHome
  let agent: Connection

  beforeAll(async () => {
    home = new AgentsHome(temporaryFolder())
    home.everything()
    agent = await connectStdio({ env: home.env })
  })
  afterAll(() => agent.close())

  it.each(spoken)('D12 D13 %s %s gives what the person typed and nothing else', async (source, sessionId, requests) => {
    const { body } = await agent.call(tool('list_dialogs'), { source: source, limit: 100 })
    const dialogs = body.dialogs as Record<string, unknown>[]
    expect(dialogs.find((dialog) => dialog.sessionId === sessionId)).toMatchObject({
      source,
      project: home.project,
      requestsCount: requests.length,
      firstRequestPreview: requests[0]?.slice(0, 80),
    })
    for (const [place, request] of requests.entries()) {
      const { body: one } = await agent.call(tool('get_request'), { sessionId, index: place + 1 })
      expect(one).toMatchObject({ success: true, request, totalRequests: requests.length })
      expect(one.timestamp).toBeGreaterThan(1_600_000_000_000)
    }
  })
})

describe('dialogs in the family’s own words', () => {
  it('D9 gives an exception as {isError, message}, with an incident id and no stack', async () => {
    const home = new AgentsHome(temporaryFolder())
    home.claude()
    const agent = await connectStdio({ env: home.env })
    await agent.call(tool('get_request'), { index: 1 })
    const index = new DatabaseSync(home.path('.secretary', 'secretary.db'))
    index.exec("update dialogs set reading = '{ not what we wrote'")
    index.close()
    const { body, result } = await agent.call(tool('get_request'), { index: 1 })
    expect(body).toEqual({ isError: true, message: expect.stringMatching(/^Something unforeseen went wrong \(incident \w+/) })
    expect(result.isError).toBe(true)
    await agent.close()
  })

  it('D8 is unavailable while its database is', async () => {
    const home = new AgentsHome(temporaryFolder())
    home.claude()
    home.write(home.path('.secretary', 'secretary.db'), 'this is no database, and long enough to be taken for one'.repeat(100))
    const agent = await connectStdio({ env: home.env })
    const { body, result } = await agent.call(tool('get_request'), { index: 1 })
    expect(body).toEqual({ success: false, error: 'Service temporarily unavailable' })
    expect(result.isError).toBe(true)
    await agent.close()
  })

  it('D10 tells when to use the two tools of the seeds, their parameters, their answers, and examples', async () => {
    for (const SECRETARY_DESCRIPTIONS of ['full', 'compact']) {
      const agent = await connectStdio({ env: { SECRETARY_DESCRIPTIONS } })
      const { tools } = await agent.client.listTools()
      for (const name of ['get_request', 'get_first_request']) {
        const { description = '', inputSchema } = tools.find((candidate) => candidate.name === tool(name)) ?? {}
        for (const part of ['Use this tool when:', 'Parameters:', 'Returns:', '"success":true', 'Example usage scenarios'])
          expect(description).toContain(part)
        expect(inputSchema?.properties).toHaveProperty('sessionId')
      }
      await agent.close()
    }
  })

  it('shows the dialogs to their owner alone, whoever else has a token', async () => {
    const home = new AgentsHome(temporaryFolder())
    home.claude()
    const env = { ...home.env, SECRETARY_USER: 'ada', SECRETARY_AUTH: 'on' }
    const token = (user: string) =>
      execFileSync(process.execPath, [binary, 'token', 'create', '--user', user], {
        env: isolatedEnvironment(env),
        encoding: 'utf8',
      }).trim()
    const server = await startHttpServer({ env })
    const as = (user: string) =>
      connectToUrl(server.url, { headers: { authorization: `Bearer ${token(user)}` }, clientName: 'claude-code' })
    const ada = await as('ada')
    expect((await ada.call(tool('get_request'), { index: 1 })).body.success).toBe(true)
    const eve = await as('eve')
    expect((await eve.call(tool('get_request'), { index: 1 })).body).toEqual({ success: false, error: 'No active dialog found' })
    expect((await eve.call(tool('get_first_request'), { sessionId: 'cc-main' })).body.error).toBe('Session not found: cc-main')
    expect((await eve.call(tool('list_dialogs'), { everywhere: true })).body).toMatchObject({ dialogs: [], total: 0 })
    await Promise.all([ada.close(), eve.close()])
    await server.stop()
  })
})

describe('recall after a compaction', () => {
  const original =
    'Build an importer for bank statements.\nIt must never lose a line, and it must say which file a line came from.'
  const latest = 'Now handle statements in Latin-1.\nKeep "UTF-8" as the default — and add a test for ÄÖÜ.'

  it('gives back the original request and the latest one word for word, within the budget, with open tasks', async () => {
    const home = new AgentsHome(temporaryFolder())
    const about = { cwd: home.project, sessionId: 'long', isSidechain: false }
    const said: object[] = [{ type: 'user', message: { role: 'user', content: original } }]
    const work = (turn: number) => {
      const id = `t${turn}`
      said.push(
        { type: 'assistant', message: { content: [{ type: 'tool_use', id, name: 'Bash', input: {} }], stop_reason: 'tool_use' } },
        {
          type: 'user',
          message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'x'.repeat(3000) }] },
        },
        { type: 'assistant', message: { content: [{ type: 'text', text: `Step ${turn} is done.` }], stop_reason: 'end_turn' } },
      )
    }
    const ask = (text: string) => said.push({ type: 'user', message: { role: 'user', content: text } })
    for (let turn = 2; turn <= 60; turn++) {
      work(turn)
      ask(`Request ${turn}: improve the parser for the statements of bank number ${turn}, as we said`)
    }
    said.push(
      { type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted' },
      {
        type: 'user',
        isCompactSummary: true,
        message: { content: 'This session is being continued from a previous conversation. …' },
      },
    )
    for (let turn = 61; turn <= 80; turn++) {
      work(turn)
      ask(turn === 80 ? latest : `Request ${turn}: another small change`)
    }
    home.claude('long.jsonl', said.map((line) => `${JSON.stringify({ ...about, ...line })}\n`).join(''))

    const agent = await connectStdio({ env: home.env, clientName: 'claude-code' })
    await agent.call('add_task', { title: 'Write the manual' })
    for (const budget of [undefined, 400, 4000]) {
      const { body, result } = await agent.call(tool('recall'), budget ? { budget } : {})
      expect(body).toMatchObject({
        success: true,
        sessionId: 'long',
        totalRequests: 80,
        firstRequest: { index: 1, request: original },
      })
      expect((body.latestRequests as object[]).at(-1)).toMatchObject({ index: 80, request: latest })
      expect(body.openTasks).toEqual(['1: Write the manual'])
      const [content] = result.content
      expect(countTokens(content?.type === 'text' ? content.text : '')).toBeLessThanOrEqual(budget ?? 1500)
      expect(body.leftOut).toContainEqual(expect.stringMatching(/^requests 2–\d+: list_requests, get_request$/))
    }
    await agent.close()
  })
})
