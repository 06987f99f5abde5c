import { execFileSync } from 'node:child_process'
import { appendFileSync, utimesSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { AgentsHome } from '../support/agents-home.ts'
import { line } from '../support/dialogs-service.ts'
import {
  binary,
  type Connection,
  connectStdio,
  isolatedEnvironment,
  type ServerOptions,
} from '../support/mcp-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const FIRST = 'copilot_chat_secretary_get_first_request'
const open: Connection[] = []

afterEach(async () => {
  for (const agent of open.splice(0)) await agent.close()
})

/** A project in which two dialogs go on at once; the other one was written to last. */
function twoDialogs(): AgentsHome {
  const home = new AgentsHome(temporaryFolder())
  const mine = home.claude('mine.jsonl', line('mine', { cwd: home.project }))
  home.claude('other.jsonl', line('other', { cwd: home.project }))
  utimesSync(mine, new Date('2026-01-01'), new Date('2026-01-01'))
  return home
}

async function connect(home: AgentsHome, options: ServerOptions = {}): Promise<Connection> {
  const agent = await connectStdio({ ...options, env: { ...home.env, ...options.env } })
  open.push(agent)
  return agent
}

/** What Claude Code notes for its process: here this one, the parent of the server. */
const note = (home: AgentsHome, sessionId: string, more: object = {}) =>
  home.write(
    home.path('.claude', 'sessions', `${process.pid}.json`),
    JSON.stringify({ pid: process.pid, sessionId, ...more }),
  )

describe('D1 the current dialog is the caller’s own', () => {
  const sessionOf = async (agent: Connection) => (await agent.call(FIRST)).body.sessionId

  it('as Claude Code notes it for its process, also after it changed', async () => {
    const home = twoDialogs()
    note(home, 'mine')
    const agent = await connect(home, { clientName: 'claude-code' })
    expect(await sessionOf(agent)).toBe('mine')
    note(home, 'other')
    expect(await sessionOf(agent)).toBe('other')
  })

  it('but not as a process noted it that is gone', async () => {
    const home = twoDialogs()
    note(home, 'mine', { procStart: '1' })
    expect(await sessionOf(await connect(home, { clientName: 'claude-code' }))).toBe('other')
  })

  it('as Codex names it in every call', async () => {
    const home = twoDialogs()
    const { client } = await connect(home, { clientName: 'codex-mcp-client' })
    const call = async (threadId: string) => {
      const answer = await client.callTool({ name: FIRST, arguments: {}, _meta: { threadId } })
      return answer.structuredContent
    }
    expect(await call('mine')).toMatchObject({ sessionId: 'mine' })
    expect(await call('other')).toMatchObject({ sessionId: 'other' })
  })

  it('as Droid names it in every call', async () => {
    const { client } = await connect(twoDialogs(), { clientName: 'factory-cli' })
    const _meta = { assemblySessionId: 'mine', caller: 'AGENT' }
    const { structuredContent } = await client.callTool({ name: FIRST, arguments: {}, _meta })
    expect(structuredContent).toMatchObject({ sessionId: 'mine' })
  })

  it('as a hook of the same agent was told, also after it changed', async () => {
    const home = twoDialogs()
    const agent = await connect(home, { clientName: 'gemini-cli-mcp-client' })
    const hook = (session_id: string) =>
      execFileSync(process.execPath, [binary, 'recall', '--hook'], {
        env: isolatedEnvironment(home.env),
        input: JSON.stringify({ session_id, cwd: home.project, source: 'startup' }),
      })
    hook('mine')
    expect(await sessionOf(agent)).toBe('mine')
    hook('other')
    expect(await sessionOf(agent)).toBe('other')
  })

  it('as VS Code names it in every call', async () => {
    const home = twoDialogs()
    home.vscode('v2.json', 'vs-v2.json')
    const { client } = await connect(home, { clientName: 'Visual Studio Code' })
    const call = async (id: string) => {
      const _meta = { 'vscode.conversationId': id, 'vscode.requestId': 'r1' }
      return (await client.callTool({ name: FIRST, arguments: {}, _meta })).structuredContent
    }
    expect(await call('vs-v2')).toMatchObject({ sessionId: 'vs-v2' })
    expect(await call('never written')).toEqual({ success: false, error: 'No active dialog found' })
  })

  it('that of the window that started the server, and never another agent’s', async () => {
    const home = twoDialogs()
    const user = home.path('elsewhere', 'User')
    const chats = dirname(home.vscode('v2.json', 'vs-v2.json', user))
    const editor = { SECRETARY_VSCODE_USER: user, SECRETARY_VSCODE_CHATS: chats }
    const clientName = 'Visual Studio Code'
    expect(await sessionOf(await connect(home, { env: editor, clientName }))).toBe('vs-v2')
    const empty = { ...editor, SECRETARY_VSCODE_CHATS: home.path('empty', 'chatSessions') }
    const agent = await connect(home, { env: empty, clientName })
    expect((await agent.attempt(FIRST)).body).toEqual({
      success: false,
      error: 'No active dialog found',
    })
  })

  it('as Copilot CLI says in its variable, unless another agent inherited that', async () => {
    const env = { COPILOT_AGENT_SESSION_ID: 'mine' }
    const home = twoDialogs()
    const copilot = await connect(home, { env, clientName: 'github-copilot-developer' })
    expect(await sessionOf(copilot)).toBe('mine')
    expect(await sessionOf(await connect(home, { env, clientName: 'gemini-cli' }))).toBe('other')
  })

  it('and is waited for where it has only begun', async () => {
    const home = twoDialogs()
    note(home, 'fresh')
    const agent = await connect(home, { clientName: 'claude-code' })
    const path = home.claude('fresh.jsonl', '{"type":"mode","mode":"default"}\n')
    const asked = sessionOf(agent)
    appendFileSync(path, line('just typed', { cwd: home.project }))
    expect(await asked).toBe('fresh')
  })

  it('and no other takes its place', async () => {
    const home = twoDialogs()
    const { client } = await connect(home, { clientName: 'codex-mcp-client' })
    const { structuredContent } = await client.callTool({
      name: FIRST,
      arguments: {},
      _meta: { threadId: 'never written' },
    })
    expect(structuredContent).toEqual({ success: false, error: 'No active dialog found' })
  })

  it('to a command that the agent runs', () => {
    const home = twoDialogs()
    note(home, 'mine')
    const shell = `"${process.execPath}" "${binary}" recall; true`
    const text = execFileSync('sh', ['-c', shell], { env: isolatedEnvironment(home.env) })
    expect(String(text)).toContain('session mine')
  })
})
