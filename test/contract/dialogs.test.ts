import { execFileSync } from 'node:child_process'
import { appendFileSync, rmSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AgentsHome } from '../support/agents-home.ts'
import {
  binary,
  type Connection,
  connectToUrl,
  isolatedEnvironment,
  startHttpServer,
} from '../support/mcp-client.ts'
import { connect } from '../support/setups.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const tool = (name: string) => `copilot_chat_secretary_${name}`

describe('dialogs', () => {
  let home: AgentsHome
  let agent: Connection
  const get = (args?: Record<string, unknown>) => agent.attempt(tool('get_request'), args)
  const first = (args?: Record<string, unknown>) => agent.attempt(tool('get_first_request'), args)

  beforeAll(async () => {
    home = new AgentsHome(temporaryFolder())
    // The last to be active, by its own records.
    appendFileSync(home.claude(), '{"type":"mode","timestamp":"2026-01-20T10:00:00.000Z"}\n')
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
    expect((await get({ index: 10 })).body).toEqual({
      success: false,
      error: 'Index 10 exceeds total requests (4)',
    })
  })

  it.each([2 ** 53, 1e21, 1e308])('D4 refuses the huge index %d the same way', async (index) => {
    expect((await get({ index })).body).toEqual({
      success: false,
      error: `Index ${index} exceeds total requests (4)`,
    })
  })

  it.each([null, '', '  '])('D1 takes the session %j for the current one', async (sessionId) => {
    expect((await get({ index: 1, sessionId })).body).toMatchObject({ sessionId: 'cc-main' })
    expect((await first({ sessionId })).body).toMatchObject({ sessionId: 'cc-main' })
  })

  it.each([{}, { index: null }])('D5 demands an index: %j', async (args) => {
    expect((await get(args)).body).toEqual({
      success: false,
      error: 'Index parameter is required',
    })
  })

  it.each([1.5, 'two', '2', true, [1]])('D3 refuses the index %j in plain words', async (index) => {
    expect((await get({ index })).body).toEqual({
      success: false,
      error: 'Index must be a whole number',
    })
  })

  it('D7 gives the first request as a preview of at most 80 characters', async () => {
    expect((await first()).body).toEqual({
      success: true,
      sessionId: 'cc-main',
      firstRequest: 'Let people log in with a passkey.\nKeep the password form as it is.',
      timestamp: Date.parse('2026-01-15T10:00:00.000Z'),
      requestsCount: 4,
    })
    expect((await first({ sessionId: 'vs-v3' })).body).toMatchObject({
      sessionId: 'vs-v3',
      requestsCount: 2,
    })
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

describe('dialogs', () => {
  it('D8 says so where there is no dialog', async () => {
    const agent = await connect()
    expect((await agent.attempt(tool('get_first_request'))).body).toEqual({
      success: false,
      error: 'No active dialog found',
    })
    expect((await agent.attempt(tool('get_request'), { index: 1 })).body).toEqual({
      success: false,
      error: 'No active dialog found',
    })
    await agent.close()
  })

  it('D6 says that the chat data is gone once the agent has deleted its file', async () => {
    const home = new AgentsHome(temporaryFolder())
    const path = home.claude()
    const agent = await connect({ env: home.env })
    expect((await agent.call(tool('get_request'), { index: 1 })).body.success).toBe(true)
    rmSync(path)
    expect(
      (await agent.attempt(tool('get_request'), { index: 1, sessionId: 'cc-main' })).body,
    ).toEqual({
      success: false,
      error: 'Chat data not available for session',
    })
    await agent.close()
  })

  it('shows a request that was appended a moment ago', async () => {
    const home = new AgentsHome(temporaryFolder())
    const path = home.claude()
    const agent = await connect({ env: home.env })
    expect((await agent.call(tool('get_first_request'))).body.requestsCount).toBe(4)
    appendFileSync(
      path,
      `${JSON.stringify({ type: 'user', cwd: home.project, message: { content: 'One more thing' } })}\n`,
    )
    expect((await agent.call(tool('get_request'), { index: 5 })).body.request).toBe(
      'One more thing',
    )
    await agent.close()
  })
})

describe('dialogs in the family’s own words', () => {
  it('D9 gives an exception as {isError, message}, with an incident id and no stack', async () => {
    const home = new AgentsHome(temporaryFolder())
    home.claude()
    const agent = await connect({ env: home.env })
    await agent.call(tool('get_request'), { index: 1 })
    const index = new DatabaseSync(home.path('.secretary', 'secretary.db'), { timeout: 60_000 })
    index.exec('alter table dialogs rename to elsewhere')
    index.close()
    const { body, result } = await agent.attempt(tool('get_request'), { index: 1 })
    expect(body).toEqual({
      isError: true,
      message: expect.stringMatching(/^Something went wrong \(incident \w+/),
    })
    expect(result.isError).toBe(true)
    await agent.close()
  })

  it('a row of the index that cannot be understood is read again from the file', async () => {
    const home = new AgentsHome(temporaryFolder())
    home.claude()
    const agent = await connect({ env: home.env })
    const before = await agent.call(tool('get_request'), { index: 1 })
    const index = new DatabaseSync(home.path('.secretary', 'secretary.db'), { timeout: 60_000 })
    index.exec("update dialogs set reading = '{ not what we wrote'")
    index.close()
    expect(await agent.call(tool('get_request'), { index: 1 })).toEqual(before)
    await agent.close()
  })

  it('D8 is unavailable while its database is', async () => {
    const home = new AgentsHome(temporaryFolder())
    home.claude()
    home.write(
      home.path('.secretary', 'secretary.db'),
      'this is no database, and long enough to be taken for one'.repeat(100),
    )
    const agent = await connect({ env: home.env })
    const { body, result } = await agent.attempt(tool('get_request'), { index: 1 })
    expect(body).toEqual({ success: false, error: 'Service temporarily unavailable' })
    expect(result.isError).toBe(true)
    await agent.close()
  })

  it('D10 tells when to use the two tools of the seeds, their parameters, their answers, and examples', async () => {
    const agent = await connect()
    const { tools } = await agent.client.listTools()
    for (const name of ['get_request', 'get_first_request']) {
      const { description = '', inputSchema } =
        tools.find((candidate) => candidate.name === tool(name)) ?? {}
      for (const part of [
        'Use this tool when:',
        'Parameters:',
        'Returns:',
        '"success":true',
        'Example usage scenarios',
      ])
        expect(description).toContain(part)
      expect(inputSchema?.properties).toHaveProperty('sessionId')
    }
    await agent.close()
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
      connectToUrl(server.url, {
        headers: { authorization: `Bearer ${token(user)}` },
        clientName: 'claude-code',
      })
    const ada = await as('ada')
    expect((await ada.call(tool('get_request'), { index: 1 })).body.success).toBe(true)
    const eve = await as('eve')
    expect((await eve.attempt(tool('get_request'), { index: 1 })).body).toEqual({
      success: false,
      error: 'No active dialog found',
    })
    expect(
      (await eve.attempt(tool('get_first_request'), { sessionId: 'cc-main' })).body.error,
    ).toBe('Session not found: cc-main')
    expect((await eve.call(tool('list_dialogs'), { everywhere: true })).body).toMatchObject({
      dialogs: [],
      total: 0,
    })
    await Promise.all([ada.close(), eve.close()])
    await server.stop()
  })
})
