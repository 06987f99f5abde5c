import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import {
  type CallToolResult,
  Client,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { temporaryFolder } from './temporary-folder.ts'

export const binary = fileURLToPath(new URL('../../dist/secretary.js', import.meta.url))

/** The parsed JSON of the answer's text, and the answer itself. */
export interface Answer<Body extends object = Record<string, unknown>> {
  readonly body: Body
  readonly result: CallToolResult
}

type CallTool = <Body extends object = Record<string, unknown>>(
  name: string,
  args?: Record<string, unknown>,
) => Promise<Answer<Body>>

export interface Connection {
  readonly client: Client
  /** Throws if the tool failed or does not exist, so that a set-up that does nothing is noticed. */
  call: CallTool
  /** Gives a failure as an answer, for a test that says what it must be. */
  attempt: CallTool
  close(): Promise<void>
}

export interface ServerOptions {
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly args?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  /** Name that the client gives itself. */
  readonly clientName?: string
}

export type Connect = (options?: ServerOptions) => Promise<Connection>

/** An environment that shares nothing with the machine's: a home of its own, an empty project. */
export function isolatedEnvironment(extra: ServerOptions['env'] = {}): Record<string, string> {
  const folder = temporaryFolder()
  const project = join(folder, 'project')
  mkdirSync(project)
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    SECRETARY_HOME: join(folder, 'secretary'),
    SECRETARY_PROJECT: project,
    SECRETARY_USER: 'ada',
    // On a busy machine it takes longer than an agent would wait.
    SECRETARY_HOOK_SECONDS: '60',
    ...extra,
  }
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

export const connectStdio: Connect = async (options = {}) => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [binary, 'mcp', ...(options.args ?? [])],
    env: isolatedEnvironment(options.env),
    stderr: 'pipe',
  })
  return connectClient(options, transport)
}

export const connectHttp: Connect = async (options = {}) => {
  const server = await startHttpServer(options)
  const connection = await connectToUrl(server.url, options)
  return {
    ...connection,
    async close() {
      await connection.close()
      await server.stop()
    },
  }
}

/** Servers that this process has started, with what says that the owner asks. */
const owners = new Map<string, Readonly<Record<string, string>>>()

export function connectToUrl(url: string, options: ServerOptions = {}): Promise<Connection> {
  return connectClient(
    options,
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: { ...owners.get(url), ...options.headers } },
    }),
  )
}

export interface HttpServer {
  readonly url: string
  /** What says that the owner asks. */
  readonly headers: Readonly<Record<string, string>>
  readonly child: ChildProcess
  stop(): Promise<void>
}

/** `secretary serve` on a free port, as a process of its own. */
export async function startHttpServer({ env, args = [] }: ServerOptions = {}): Promise<HttpServer> {
  const child = spawn(process.execPath, [binary, 'serve', '--port', '0', ...args], {
    env: isolatedEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: string[] = []
  child.stderr?.on('data', (chunk: Buffer) => said.push(chunk.toString()))
  const lines = createInterface({ input: child.stdout })
  const [url, token] = await new Promise<[string, string?]>((resolve, reject) => {
    lines.on('line', (line) => {
      const [, found] = /"url":"(http:[^"]+)\/mcp"/.exec(line) ?? []
      if (found) resolve([found, /"Bearer ([^"]+)"/.exec(line)?.[1]])
    })
    child.once('exit', (code) =>
      reject(new Error(`the server ended with ${code}: ${said.join('')}`)),
    )
  })
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
  owners.set(url, headers)
  return {
    url,
    headers,
    child,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/** A test that must hold on both transports takes each of these. */
export const transports: readonly { readonly name: string; readonly connect: Connect }[] = [
  { name: 'stdio', connect: connectStdio },
  { name: 'http', connect: connectHttp },
]

export async function connectClient(
  options: ServerOptions,
  transport: Parameters<Client['connect']>[0],
): Promise<Connection> {
  const client = new Client({ name: options.clientName ?? 'test', version: '1' })
  await client.connect(transport)
  const attempt: CallTool = async (name, args = {}) => {
    const result = await client.callTool({ name, arguments: args })
    const [first] = result.content
    if (first?.type !== 'text') throw new Error('the answer has no text')
    return { body: JSON.parse(first.text), result }
  }
  return {
    client,
    attempt,
    async call<Body extends object>(name: string, args?: Record<string, unknown>) {
      const answer = await attempt<Body>(name, args)
      if (answer.result.isError) throw new Error(`${name} failed: ${JSON.stringify(answer.body)}`)
      return answer
    },
    close: () => client.close(),
  }
}
