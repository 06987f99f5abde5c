import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { engines } from './engines.ts'
import {
  binary,
  type Connection,
  connectToUrl,
  isolatedEnvironment,
  startHttpServer,
} from './mcp-client.ts'
import type { Role } from './space-world.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Of all answers together, what is looked at. */
export interface SpaceBody {
  readonly space: { readonly id: string }
  readonly task: { readonly id: number }
  readonly tasks: readonly { readonly id: number; readonly space?: string }[]
  readonly total: number
  readonly labels: readonly string[]
  readonly spaces: readonly { readonly id: string; readonly role: Role }[]
  readonly decisions: readonly { readonly content: string; readonly space?: string }[]
  readonly groups: unknown
  readonly results?: readonly { readonly content: string }[]
  readonly totalFound?: number
  readonly parts: unknown
  readonly dialogs: readonly { readonly sessionId: string }[]
  readonly documents: readonly { readonly path: string }[]
  readonly calls: readonly { readonly user: string }[]
  readonly conversations: readonly { readonly id: string }[]
  readonly sources: readonly string[]
  readonly projects: readonly string[]
  readonly commands: readonly object[]
  readonly fixes: readonly object[]
  readonly error?: string
  readonly data: SpaceBody
  /** Of the guide. */
  readonly value?: SpaceBody
  readonly goal: string
}

type SuggestedFor =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string }

interface Answer {
  readonly status: number
  readonly text: string
  readonly body: SpaceBody
}

/** Servers on one database, two where they can share it, and each person with a client of each. */
export async function openSpaceHouse(
  engine: (typeof engines)[number],
  people: readonly string[],
  { owner, operator }: { readonly owner: string; readonly operator: string },
  /** Before the servers start, with their environment. */
  furnish: (env: Readonly<Record<string, string>>) => void = () => {},
  settings: Readonly<Record<string, string>> = {},
) {
  const env = isolatedEnvironment({
    ...(await engine.fresh()),
    ...settings,
    SECRETARY_RATE_LIMITS: 'off',
    SECRETARY_USER: owner,
  })
  furnish(env)
  const homes =
    engine.name === 'postgres'
      ? [env.SECRETARY_HOME, join(temporaryFolder(), 'home')]
      : [env.SECRETARY_HOME]
  const tokenOf = (user: string) =>
    execFileSync(
      process.execPath,
      [binary, 'token', 'create', '--user', user].concat(
        user === operator ? ['--role', 'operator'] : [],
      ),
      { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    ).trim()
  const headers = new Map(
    people.map((user) => [user, { authorization: `Bearer ${tokenOf(user)}` }]),
  )
  const servers = await Promise.all(
    homes.map((SECRETARY_HOME) => startHttpServer({ env: { ...env, SECRETARY_HOME } })),
  )
  const clients = new Map<string, Connection[]>()
  for (const [user, sent] of headers)
    clients.set(
      user,
      await Promise.all(servers.map(({ url }) => connectToUrl(url, { headers: sent }))),
    )
  const ending = new AbortController()
  let turn = 0
  const clientOf = (user: string) => {
    const all = clients.get(user) ?? []
    const one = all[turn++ % all.length]
    if (!one) throw new Error(`nobody is called ${user}`)
    return one
  }
  return {
    async send(user: string, method: string, path: string, body?: object): Promise<Answer> {
      const url = servers[turn++ % servers.length]?.url
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers.get(user) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json') && text !== ''
      return { status: response.status, text, body: isJson ? JSON.parse(text) : undefined }
    },
    /** What an open page is told, until all ends. */
    async events(user: string): Promise<() => string> {
      const url = servers[turn++ % servers.length]?.url
      const { signal } = ending
      const sent = { headers: headers.get(user), signal }
      const { body } = await fetch(`${url}/api/v1/events`, sent)
      let told = ''
      const listen = async () => {
        for await (const part of body ?? []) told += Buffer.from(part).toString()
      }
      listen().catch(() => {})
      return () => told
    },
    /** On the command line of a server's machine. */
    secretary(user: string, ...args: string[]): string {
      const { stdout, stderr } = spawnSync(process.execPath, [binary, ...args, '--user', user], {
        env,
        encoding: 'utf8',
      })
      return `${stdout}${stderr}`
    },
    /** A failure is an answer, too: whoever asks compares it with what the model of the spaces says. */
    async attempt(user: string, name: string, args: object) {
      const { result } = await clientOf(user).attempt(name, { ...args })
      const [first] = result.content
      const read: SpaceBody = first?.type === 'text' ? JSON.parse(first.text) : undefined
      return { body: read, whole: result, isError: result.isError === true }
    },
    /** What is offered to somebody who begins to type. */
    async suggestions(user: string, ref: SuggestedFor, name: string) {
      const argument = { name, value: '' }
      const { completion } = await clientOf(user).client.complete({ ref, argument })
      return completion
    },
    async resources(user: string): Promise<string[]> {
      const { resources } = await clientOf(user).client.listResources()
      return resources.map(({ uri }) => uri)
    },
    async resource(user: string, uri: string) {
      return JSON.stringify(await clientOf(user).client.readResource({ uri }))
    },
    async close() {
      ending.abort()
      for (const all of clients.values()) await Promise.all(all.map((one) => one.close()))
      await Promise.all(servers.map((server) => server.stop()))
    },
  }
}
