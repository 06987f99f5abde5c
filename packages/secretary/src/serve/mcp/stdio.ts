import { randomUUID } from 'node:crypto'
import type { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { App } from '../../app/app.ts'
import type { Config } from '@secretary-mcp/core/config/config.ts'
import { ownDialog } from '../../dialogs/own-dialog.ts'
import { announceTo } from './announce.ts'
import { type Backing, backingOf } from './backing.ts'
import { snapshotTools } from './catalogue-snapshot.ts'
import { createMcpServer } from './create-server.ts'
import { StdioTransport } from './stdio-transport.ts'

const WARM_UP_AFTER_MS = 250

/** Serves until the client closes standard input and has its answers. A timer of ours must not keep an orphan alive. */
export async function runStdio(
  config: Config,
  open: (config: Config) => Promise<App>,
): Promise<void> {
  const transport = new StdioTransport(process.stdin, process.stdout)
  const ended = new Promise<void>((resolve) => {
    void transport.closed.then(resolve)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => resolve())
  })
  // The pipe is the session: it has no id of its own.
  const connection = randomUUID()
  const own = ownDialog(config)
  const servers: Server[] = []
  let opening: Promise<App> | undefined
  const app = () => {
    opening ??= open(config).then((opened) => {
      for (const server of servers) announceTo(server, opened.changes)
      opened.watch()
      return opened
    })
    return opening
  }
  const backing: Backing = {
    config,
    app,
    async tools() {
      // The first call should not wait for what is still asleep.
      setTimeout(() => void app().catch(() => {}), WARM_UP_AFTER_MS).unref()
      return snapshotTools(config) ?? backingOf(await app()).tools()
    },
  }
  const handle = serveStdio(
    () => {
      const server = createMcpServer(backing, (ctx, self) => {
        const client = self.getClientVersion()?.name
        const session = ctx.sessionId ?? connection
        const { user, project } = config
        return {
          user,
          role: 'operator',
          project,
          client,
          session,
          // Looked up on disk, which most tools have no need of.
          get dialog() {
            return own(client)
          },
        }
      })
      servers.push(server)
      void opening?.then(({ changes }) => announceTo(server, changes))
      return server
    },
    {
      transport,
      onerror: (error) => void app().then(({ log }) => log.warn({ err: error }, 'protocol error')),
    },
  )
  await ended
  await handle.close()
  await (await opening?.catch(() => undefined))?.close()
}
