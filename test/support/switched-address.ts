import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface SwitchedAddress {
  readonly url: string
  /** Open connections end, and new ones lead to the other server. */
  leadTo(url: string): void
  close(): Promise<void>
}

/** One address that leads to whichever PostgreSQL is the primary, as a load balancer or a moved IP address does. */
export async function switchedAddress(first: string): Promise<SwitchedAddress> {
  const sockets = new Set<Socket>()
  let target = new URL(first)
  const server = createServer((client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port) })
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    }
    client.pipe(upstream).pipe(client)
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  const url = new URL(first)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    leadTo(other) {
      target = new URL(other)
      endAll()
    },
    async close() {
      endAll()
      server.close()
      await once(server, 'close')
    },
  }
}
