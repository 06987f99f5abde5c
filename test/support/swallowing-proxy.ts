import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface SwallowingProxy {
  readonly url: string
  /** From now on nothing comes back, on old connections and on new ones; nobody is told. */
  swallow(): void
  /** New connections are served again; those that went silent stay so. */
  serve(): void
  /** Connections that are open through it. */
  open(): number
  close(): Promise<void>
}

/** Stands between a client and a PostgreSQL server, and may lose every reply, as a network does that drops packets. */
export async function swallowingProxy(target: string): Promise<SwallowingProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const clients = new Set<Socket>()
  let isSwallowing = false
  const silent = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ host: hostname, port: Number(port) })
    clients.add(client)
    if (isSwallowing) silent.add(client)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    }
    client.on('data', (chunk) => upstream.write(chunk))
    client.on('close', () => {
      clients.delete(client)
      upstream.destroy()
    })
    client.on('end', () => {
      if (!silent.has(client)) client.end()
    })
    upstream.on('data', (chunk) => {
      if (!silent.has(client)) client.write(chunk)
    })
    upstream.on('close', () => {
      if (!silent.has(client)) client.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(target)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    swallow() {
      isSwallowing = true
      for (const client of clients) silent.add(client)
    },
    serve() {
      isSwallowing = false
    },
    open: () => clients.size,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
