import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { AgentsHome } from '../support/agents-home.ts'
import {
  binary,
  connectStdio,
  isolatedEnvironment,
  startHttpServer,
} from '../support/mcp-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const TYPED = 'We decided to keep sessions in Redis.'
const RULE = 'In this repo we never touch src/lock.ts by hand.'
const ANSWERED = 'We decided to keep passwords in Vault.'

interface Suggestion {
  readonly id: string
  readonly content: string
  readonly session?: string
  readonly request?: number
}

describe('suggestions', () => {
  const home = new AgentsHome(temporaryFolder())
  const env = isolatedEnvironment(home.env)
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [binary, ...args], { env, encoding: 'utf8', timeout: 120_000 })
  const listed = (...args: string[]): Suggestion[] =>
    JSON.parse(run('discoveries', ...args, '--json').stdout).discoveries

  beforeAll(() => {
    const about = { cwd: home.project, sessionId: 'said', isSidechain: false }
    const lines = [
      { type: 'user', message: { role: 'user', content: `Add a cache. ${TYPED}` } },
      {
        type: 'assistant',
        message: { content: [{ type: 'text', text: ANSWERED }], stop_reason: 'end_turn' },
      },
      { type: 'user', message: { role: 'user', content: RULE } },
    ]
    home.claude(
      'said.jsonl',
      lines.map((line) => `${JSON.stringify({ ...about, ...line })}\n`).join(''),
    )
    writeFileSync(join(home.project, 'cache.ts'), 'export const cache = new Map()\n')
  })

  it('C14 come from what the person typed, never from an answer, and are shown with --suggested alone', () => {
    expect(listed('--suggested')).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ content: TYPED, session: 'said' }),
        expect.objectContaining({ content: RULE }),
      ]),
    )
    expect(listed('--suggested')).toHaveLength(2)
    expect(listed('--all')).toEqual([])
    expect(run('discoveries', '--suggested').stderr).toContain('secretary discoveries confirm ID')
  })

  it('C14 are not in recall, edit notes, searches for decisions, packs or resources before somebody confirms them', async () => {
    const agent = await connectStdio({ env, clientName: 'claude-code' })
    const ask = async (name: string, args: object) =>
      JSON.stringify((await agent.call(name, { ...args })).body)
    for (let ready = false; !ready; ) {
      const { body } = await agent.call('context_search', { query: 'sessions in Redis' })
      ready = !body.partial && Array.isArray(body.results)
    }
    const recalled = (await agent.call('copilot_chat_secretary_recall', {})).body
    expect(recalled.decisions ?? []).toEqual([])
    const decisions = await agent.call('context_search', {
      query: 'sessions in Redis',
      type: 'decision',
    })
    expect(decisions.body).toMatchObject({ results: [] })
    const { body: discovered } = await agent.call('context_search', {
      query: 'sessions in Redis',
      source: 'discovery',
    })
    expect(discovered).toMatchObject({ results: [] })
    const { body: said } = await agent.call('context_search', {
      query: 'sessions in Redis',
      source: 'session',
    })
    expect(said.results).toContainEqual(
      expect.objectContaining({ source: 'session', session: 'said', id: 'said/1' }),
    )
    const { parts } = JSON.parse(await ask('context_pack', { goal: 'keep sessions in Redis' }))
    expect(parts.filter(({ kind }: { kind: string }) => kind === 'decision')).toEqual([])
    const overview = await agent.client.readResource({ uri: 'context://project/overview' })
    expect(JSON.stringify(overview)).not.toContain(TYPED)
    await agent.close()
    expect(run('edit-notes', 'src/lock.ts').stdout).not.toContain('decided')
  })

  it('C14 a confirmed one counts like one that was recorded, a dismissed one is gone for good', async () => {
    const ids = new Map(listed('--suggested').map(({ id, content }) => [content, id]))
    const confirmed = run('discoveries', 'confirm', (ids.get(TYPED) ?? '').slice(0, 8))
    expect(confirmed).toMatchObject({ status: 0, stdout: `Confirmed: ${TYPED}\n` })
    expect(run('discoveries', 'dismiss', ids.get(RULE) ?? '').status).toBe(0)
    expect(run('discoveries', 'dismiss', 'nothing')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Suggestion not found: nothing'),
    })
    expect(listed('--suggested')).toEqual([])
    expect(listed()).toMatchObject([{ content: TYPED, origin: 'dialog', verdict: 'confirmed' }])
    const found = JSON.parse(
      run('search', 'sessions', 'in', 'Redis', '--type', 'decision', '--json').stdout,
    )
    expect(found.results).toMatchObject([{ content: TYPED, source: 'discovery' }])
    expect(JSON.parse(run('recall', '--json').stdout).decisions).toEqual([TYPED])
  })

  it('C14 can be confirmed and dismissed over HTTP', async () => {
    const other = new AgentsHome(temporaryFolder())
    const about = { cwd: other.project, sessionId: 'said', isSidechain: false }
    const typed = { type: 'user', message: { role: 'user', content: `${TYPED} ${RULE}` } }
    other.claude('said.jsonl', `${JSON.stringify({ ...about, ...typed })}\n`)
    const server = await startHttpServer({ env: other.env })
    const send = (path: string, init: RequestInit = {}) =>
      fetch(`${server.url}/api/v1/${path}`, {
        ...init,
        headers: { ...server.headers, 'content-type': 'application/json' },
      })
    const suggestions = async () =>
      (await (await send('suggestions')).json()) as { suggestions: Suggestion[]; total: number }
    // Dialogs are read when somebody asks for what they hold.
    await expect.poll(async () => (await suggestions()).total, { timeout: 60_000 }).toBe(2)
    const { suggestions: both } = await suggestions()
    expect(both[0]).toMatchObject({ session: 'said', request: 1 })
    const judge = (content: string, verdict: string) => {
      const id = both.find((one) => one.content === content)?.id
      return send(`suggestions/${id}`, { method: 'PUT', body: JSON.stringify({ verdict }) })
    }
    expect((await judge(TYPED, 'maybe')).status).toBe(400)
    expect((await judge(TYPED, 'confirmed')).status).toBe(204)
    expect((await judge(TYPED, 'confirmed')).status).toBe(404)
    expect((await judge(RULE, 'dismissed')).status).toBe(204)
    expect(await suggestions()).toEqual({ suggestions: [], total: 0 })
    const decided = await (await send('decisions')).json()
    expect(decided).toMatchObject({ decisions: [{ content: TYPED, session: 'said' }], total: 1 })
    await server.stop()
  })
})
