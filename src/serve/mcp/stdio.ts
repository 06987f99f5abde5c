import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { App } from '../../app.ts'
import { announceTo } from './announce.ts'
import { createMcpServer } from './create-server.ts'

/** Serves until the client closes standard input. A timer of ours must not keep an orphan alive. */
export async function runStdio(app: App): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve)
    process.stdin.once('close', resolve)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })
  const handle = serveStdio(
    () => {
      const server = createMcpServer(app, (ctx, self) => ({
        ...app.localCaller,
        client: self.getClientVersion()?.name,
        session: ctx.sessionId,
      }))
      announceTo(server, app.changes)
      return server
    },
    { onerror: (error) => app.log.warn({ err: error }, 'protocol error') },
  )
  await ended
  await handle.close()
}
