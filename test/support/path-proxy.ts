import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface PathProxy {
  readonly url: string
  stop(): Promise<void>
}

/** Serves another server below a path, which it takes away before it asks, as the proxies of remote editors do. */
export async function startPathProxy(target: string, path: string): Promise<PathProxy> {
  const server = createServer((asked, answered) => {
    if (!asked.url?.startsWith(path)) return void answered.writeHead(404).end('not below the path')
    const passed = request(
      new URL(asked.url.slice(path.length - 1), target),
      { method: asked.method, headers: asked.headers },
      (answer) => {
        answered.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(answered)
      },
    )
    passed.on('error', () => answered.destroy())
    answered.on('close', () => passed.destroy())
    asked.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
