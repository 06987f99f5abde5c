import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AgentsHome } from '../support/agents-home.ts'
import { undeclared } from '../support/declared-answers.ts'
import { type Connection, startHttpServer } from '../support/mcp-client.ts'
import { setups } from '../support/setups.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const tool = (name: string) => `copilot_chat_secretary_${name}`
const GREET = `export function greet(name: string) {\n  return \`Hello, \${name}\`\n}\n`
const FIRST = 'Greet people by name. Add a test for it.'

/** A home with one session that edited, tested, had a helper and was interrupted. */
function home(): AgentsHome {
  const here = new AgentsHome(temporaryFolder())
  here.claude('cc-deeds.jsonl', here.sample('claude-code/deeds.jsonl'))
  here.write(
    join(here.claudeFolder(), 'cc-deeds', 'subagents', 'agent-a1b2.jsonl'),
    here.sample('claude-code/deeds-helper.jsonl'),
  )
  here.write(join(here.project, 'src/greet.ts'), GREET)
  return here
}

for (const { name, connect } of setups) {
  describe(`deeds over ${name}`, () => {
    const asking = async (ask: (agent: Connection) => Promise<void>) => {
      const agent = await connect({ env: home().env })
      try {
        await ask(agent)
      } finally {
        await agent.close()
      }
    }

    it('why names the request word for word, and nobody for what nobody wrote', () =>
      asking(async (agent) => {
        const { body } = await agent.call(tool('why'), {
          file: 'src/greet.ts',
          line: 1,
          endLine: 3,
        })
        expect(body).toEqual({
          success: true,
          file: 'src/greet.ts',
          line: 1,
          endLine: 3,
          requests: [
            {
              sessionId: 'cc-deeds',
              source: 'claude-code',
              index: 1,
              timestamp: Date.parse('2026-01-15T10:00:00.000Z'),
              request: FIRST,
              lines: [[1, 3]],
              evidence: 'exact',
            },
          ],
          unexplained: [],
        })
        expect((await agent.attempt(tool('why'), { file: 'nowhere.ts', line: 1 })).body).toEqual({
          success: false,
          error: 'File not found: nowhere.ts',
        })
        expect((await agent.attempt(tool('why'), { file: 'src/greet.ts', line: 99 })).body).toEqual(
          {
            success: false,
            error: 'Line 99 is past the end of src/greet.ts (3 lines)',
          },
        )
      }))

    it('ledger has a line for each request, with what speaks for and against it', () =>
      asking(async (agent) => {
        const { body } = await agent.call(tool('ledger'), { sessionId: 'cc-deeds' })
        expect(body).toMatchObject({
          success: true,
          sessionId: 'cc-deeds',
          total: 4,
          entries: [
            { index: 1, request: FIRST, state: 'committed', ended: expect.any(Array) },
            { index: 2, state: 'committed', commits: [{ sha: '1a2b3c4' }] },
            { index: 3, state: 'asked' },
            { index: 4, against: expect.arrayContaining(['interrupted']) },
          ],
        })
        const interrupted = await agent.call(tool('ledger'), { state: 'interrupted' })
        expect(interrupted.body).toMatchObject({ total: 1, entries: [{ index: 4 }] })
        const none = await agent.attempt(tool('ledger'), { sessionId: 'none' })
        expect(none.body).toEqual({ success: false, error: 'Session not found: none' })
      }))

    it('how and fix tell from commands and how they ended', () =>
      asking(async (agent) => {
        expect((await agent.call(tool('how'), { what: 'run the tests' })).body).toMatchObject({
          success: true,
          commands: [{ command: 'npm test', kind: 'test', passed: 1, failed: 1 }],
        })
        expect((await agent.call(tool('how'), { what: 'fly to the moon' })).body).toEqual({
          success: true,
          what: 'fly to the moon',
          commands: [],
        })
        const error = 'ReferenceError: it is not defined'
        expect((await agent.call(tool('fix'), { error })).body).toMatchObject({
          success: true,
          fixes: [
            {
              index: 1,
              request: FIRST,
              command: 'npm test',
              files: ['src/greet.test.ts'],
              changes: [{ path: 'src/greet.test.ts', diff: expect.stringMatching(/^\+/) }],
            },
          ],
        })
        const never = await agent.call(tool('fix'), { error: 'segmentation fault in libfoo' })
        expect(never.body).toEqual({ success: true, fixes: [] })
      }))
  })
}

describe('deeds over the API', () => {
  it('answers as the tools do, as declared, and refuses what is not there', async () => {
    const server = await startHttpServer({ env: home().env })
    const get = async (path: string) => {
      const response = await fetch(`${server.url}/api/v1/dialogs/${path}`, {
        headers: server.headers,
      })
      const body = (await response.json()) as Record<string, unknown>
      const route = `/api/v1/dialogs/${path.replace(/\?.*/, '')}`
      expect(undeclared('GET', route, response.status, body)).toBeUndefined()
      return { status: response.status, body }
    }
    expect(await get('why?file=src/greet.ts&line=2')).toMatchObject({
      status: 200,
      body: { requests: [{ request: FIRST, evidence: 'exact' }] },
    })
    expect(await get('why?file=none.ts&line=2')).toMatchObject({
      status: 404,
      body: { error: 'not_found', message: 'File not found: none.ts' },
    })
    expect((await get('why?file=src/greet.ts&line=0')).status).toBe(400)
    expect(await get('ledger?session=cc-deeds&index=1')).toMatchObject({
      status: 200,
      body: { entries: [{ index: 1, request: FIRST }] },
    })
    expect((await get('ledger?session=none')).status).toBe(404)
    expect(await get('how?what=test')).toMatchObject({
      body: { commands: [{ command: 'npm test' }] },
    })
    expect(await get('fix?error=ReferenceError:%20it%20is%20not%20defined')).toMatchObject({
      body: { fixes: [{ command: 'npm test' }] },
    })
    expect(await get('recall?session=cc-deeds&budget=800')).toMatchObject({
      body: { firstRequest: { request: FIRST }, files: expect.any(Array) },
    })
    expect(await get('handoff?session=cc-deeds&to=codex')).toMatchObject({
      body: {
        prompt: expect.stringContaining(FIRST),
        sessionId: 'cc-deeds',
        command: 'codex "$(secretary handoff cc-deeds)"',
      },
    })
    expect((await get('handoff?to=nobody')).status).toBe(400)
    await server.stop()
  })
})
