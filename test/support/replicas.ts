import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import {
  type Connect,
  connectToUrl,
  type HttpServer,
  type ServerOptions,
  startHttpServer,
} from './mcp-client.ts'
import { temporaryFolder } from './temporary-folder.ts'

export interface Proxy {
  readonly url: string
  stop(): Promise<void>
}

/** Plain round robin: the next server for every request, and the one after it where that one is not there. */
export async function startRoundRobin(targets: () => readonly string[]): Promise<Proxy> {
  let turn = 0
  const server = createServer(async (asked, answered) => {
    const body = await bytesOf(asked)
    const servers = targets()
    const first = turn++
    pass(0)

    function pass(tries: number): void {
      const target = servers[(first + tries) % servers.length]
      if (target === undefined || tries >= servers.length)
        return void answered.writeHead(502).end('no server answers')
      forward(target, { asked, answered, body }, () => pass(tries + 1))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

interface Passed {
  readonly asked: IncomingMessage
  readonly answered: ServerResponse
  readonly body: Buffer
}

/** Only a server that could not be reached is passed over: one that began to answer may have done what was asked. */
function forward(target: string, { asked, answered, body }: Passed, next: () => void): void {
  const url = new URL(asked.url ?? '/', target)
  const headers = { ...asked.headers, host: url.host }
  const passed = request(url, { method: asked.method, headers }, (answer) => {
    answered.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(answered)
    answer.on('error', () => answered.destroy())
  })
  passed.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED' && !answered.headersSent) next()
    else answered.destroy()
  })
  answered.on('close', () => passed.destroy())
  passed.end(body)
}

async function bytesOf(asked: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of asked) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

export interface Replicas extends Proxy {
  readonly servers: readonly HttpServer[]
}

/** Servers on one database, each with a home of its own; the owner's token is not needed among them. */
export async function startReplicas(count: number, env: ServerOptions['env']): Promise<Replicas> {
  const servers = await Promise.all(
    Array.from({ length: count }, (_, place) =>
      startHttpServer({
        env: {
          SECRETARY_HOME: join(temporaryFolder(), `home-${place}`),
          SECRETARY_REPLICA: `replica-${place}`,
          SECRETARY_AUTH: 'off',
          ...env,
        },
      }),
    ),
  )
  const proxy = await startRoundRobin(() => servers.map(({ url }) => url))
  return {
    url: proxy.url,
    servers,
    async stop() {
      await proxy.stop()
      await Promise.all(servers.map((server) => server.stop()))
    },
  }
}

/** Two servers behind a proxy, as one client of a team sees them. What a test puts into the home is there for both. */
export const connectReplicas: Connect = async (options = {}) => {
  const replicas = await startReplicas(2, options.env)
  const connection = await connectToUrl(replicas.url, options)
  return {
    ...connection,
    async close() {
      await connection.close()
      await replicas.stop()
    },
  }
}
