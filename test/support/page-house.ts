import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AgentsHome } from './agents-home.ts'
import { undeclared } from './declared-answers.ts'
import { type HttpServer, type ServerOptions, startHttpServer } from './mcp-client.ts'
import { temporaryFolder } from './temporary-folder.ts'

export interface PageHouse {
  readonly url: string
  readonly home: AgentsHome
  readonly server: HttpServer
  api<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T>
  tool(name: string, args: object): Promise<Record<string, unknown>>
  stop(): Promise<void>
}

/** `secretary serve` over a home and a project of its own, with whatever a test puts there before it starts. */
export async function openHouse(
  furnish: (home: AgentsHome) => void,
  options: ServerOptions = {},
  home = new AgentsHome(temporaryFolder()),
): Promise<PageHouse> {
  furnish(home)
  const server = await startHttpServer({
    ...options,
    env: { ...home.env, SECRETARY_RATE_LIMITS: 'off', SECRETARY_AUTH: 'off', ...options.env },
  })
  const api = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...server.headers, ...options.headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer: unknown = response.status === 204 ? undefined : await response.json()
    const fault = undeclared(method, path.replace(/\?.*/, ''), response.status, answer)
    if (fault) throw new Error(fault)
    return answer as T
  }
  return {
    url: server.url,
    home,
    server,
    api,
    async tool(name, args) {
      const { body } = await api<{ body: Record<string, unknown> }>(
        'POST',
        `/api/v1/tools/${name}`,
        args,
      )
      return body
    },
    stop: () => server.stop(),
  }
}

export function writeProjectFile(home: AgentsHome, path: string, text: string): void {
  const place = join(home.project, path)
  mkdirSync(dirname(place), { recursive: true })
  writeFileSync(place, text)
}

/** A dialog with Claude Code as it lies on the disk: requests a quarter of an hour apart, the last of them at `lastAt`. */
export function keepDialog(
  home: AgentsHome,
  sessionId: string,
  requests: readonly string[],
  lastAt: number,
  more: {
    readonly summary?: string
    readonly answers?: readonly string[]
    readonly project?: string
  } = {},
): void {
  const path = home.claude(
    `${sessionId}.jsonl`,
    transcript(home, sessionId, requests, lastAt, more),
  )
  utimesSync(path, lastAt / 1000, lastAt / 1000)
}

function transcript(
  ...[home, sessionId, requests, lastAt, { summary, answers, project } = {}]: Parameters<
    typeof keepDialog
  >
): string {
  const common = { cwd: project ?? home.project, sessionId, version: '2.1.0', isSidechain: false }
  const lines = requests.flatMap((content, place) => {
    const at = (seconds: number) =>
      new Date(lastAt - (requests.length - 1 - place) * 900_000 + seconds * 1000).toISOString()
    return [
      {
        ...common,
        type: 'user',
        userType: 'external',
        message: { role: 'user', content },
        uuid: `u${place}`,
        timestamp: at(0),
      },
      {
        ...common,
        type: 'assistant',
        message: {
          id: `m${place}`,
          role: 'assistant',
          model: 'claude-opus-4-5',
          content: [{ type: 'text', text: answers?.[place] ?? 'Done.' }],
          stop_reason: 'end_turn',
        },
        uuid: `a${place}`,
        timestamp: at(30),
      },
    ]
  })
  const head = summary === undefined ? [] : [{ type: 'summary', summary, leafUuid: 'u0' }]
  return `${[...head, ...lines].map((line) => JSON.stringify(line)).join('\n')}\n`
}
