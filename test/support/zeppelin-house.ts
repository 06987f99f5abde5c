import { spawnSync } from 'node:child_process'
import { expect } from 'vitest'
import { AgentsHome } from './agents-home.ts'
import type { EngineUnderTest } from './engines.ts'
import {
  binary,
  type Connection,
  connectToUrl,
  isolatedEnvironment,
  startHttpServer,
} from './mcp-client.ts'
import { publishedClone } from './published-clone.ts'
import { sendAs } from './send-as.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { CODE, keepZeppelins } from './zeppelin-dialog.ts'

export const tool = (name: string) => `copilot_chat_secretary_${name}`
export type Body = Record<string, unknown> & { results: Record<string, unknown>[] }

export type ZeppelinHouse = Awaited<ReturnType<typeof openZeppelinHouse>>

/** Ada's machine with her dialogs, a server that has nobody's, and the space web, which Bob may read and Eve may not. */
export async function openZeppelinHouse(engine: EngineUnderTest) {
  const ada = new AgentsHome(temporaryFolder())
  const env = isolatedEnvironment({ ...(await engine.fresh()), SECRETARY_RATE_LIMITS: 'off' })
  publishedClone(ada.project, { 'src/price.ts': CODE })
  publishedClone(env.SECRETARY_PROJECT ?? '', { 'src/price.ts': CODE })
  // On SQLite her machine and the server use one file; with PostgreSQL they share nothing else.
  const home = engine.name === 'sqlite' ? env.SECRETARY_HOME : undefined
  const machine: Record<string, string> = {
    ...env,
    ...ada.env,
    ...(home ? { SECRETARY_HOME: home } : {}),
    SECRETARY_USER: 'ada',
  }
  const secretary = (user: string, ...args: string[]) =>
    spawnSync(process.execPath, [binary, ...args, '--user', user], {
      env: machine,
      encoding: 'utf8',
    })
  const did = (user: string, ...args: string[]) => {
    const { status, stdout, stderr } = secretary(user, ...args)
    expect(status, `${args.join(' ')}: ${stderr}`).toBe(0)
    return stdout
  }
  const server = await startHttpServer({ env: { ...env, SECRETARY_USER: 'host' } })
  const tokens = new Map<string, string>()
  const clients = new Map<string, Connection>()
  for (const user of ['ada', 'bob', 'eve']) {
    const create = [binary, 'token', 'create', '--user', user]
    const made = spawnSync(process.execPath, create, { env, encoding: 'utf8' })
    tokens.set(user, made.stdout.trim())
    const headers = { authorization: `Bearer ${tokens.get(user)}` }
    clients.set(user, await connectToUrl(server.url, { headers }))
  }
  const call = async (user: string, name: string, args: Record<string, unknown>) =>
    (await clients.get(user)?.call<Body>(name, args))?.body
  const attempt = async (user: string, name: string, args: Record<string, unknown>) =>
    (await clients.get(user)?.attempt<Body>(name, args))?.body
  const send = sendAs(() => server, tokens)
  /** Every way in which somebody could come across what was asked. */
  const surfaces = async (user: string, sessionId: string) => [
    await attempt(user, tool('search_requests'), { query: 'zeppelin prices' }),
    await attempt(user, 'context_search', { query: 'zeppelin prices rounded', limit: 20 }),
    await attempt(user, 'context_pack', { goal: 'round the price of airships' }),
    await attempt(user, tool('why'), { file: 'src/price.ts', line: 1, endLine: 3 }),
    await attempt(user, tool('ledger'), { sessionId }),
    await attempt(user, tool('get_request'), { sessionId, index: 1 }),
    await attempt(user, tool('list_requests'), { sessionId }),
    await attempt(user, tool('recall'), {}),
    (await send(user, 'GET', '/api/v1/spaces/web/requests')).body,
    (await send(user, 'GET', '/api/v1/request-sharing')).body,
  ]
  keepZeppelins(ada, 'zep-1')
  did('ada', 'team', 'create', 'web')
  did('ada', 'team', 'add', 'web', 'bob', '--role', 'reader')
  did('bob', 'team', 'accept', 'web')
  return {
    ada,
    env,
    machine,
    secretary,
    did,
    call,
    attempt,
    send,
    surfaces,
    keep: (sessionId: string, ask?: string, lastAt?: number) =>
      keepZeppelins(ada, sessionId, ask, lastAt),
    async seesNothing(user: string, sessionId: string) {
      const [search, context, pack, ...rest] = await surfaces(user, sessionId)
      expect(search).toMatchObject({ results: [] })
      const found: Body['results'] = context?.results ?? []
      expect(found.filter(({ source }) => source === 'session')).toEqual([])
      for (const shown of [context?.results, pack?.parts, ...rest])
        expect(JSON.stringify(shown) ?? '').not.toMatch(/Round zeppelin|zeppelins fly|"by"/)
    },
    async close() {
      for (const client of clients.values()) await client.close()
      await server.stop()
    },
  }
}
