import { randomUUID } from 'node:crypto'
import { InMemoryTransport } from '@modelcontextprotocol/client'
import { loadConfig } from '@secretary-mcp/core/config/config.ts'
import { silentLog } from '@secretary-mcp/core/log.ts'
import { createApp } from '@secretary-mcp/secretary/app/app.ts'
import { ownDialog } from '@secretary-mcp/secretary/dialogs/own-dialog.ts'
import { backingOf, createMcpServer } from '@secretary-mcp/secretary/serve/mcp/create-server.ts'
import { announceTo } from '@secretary-mcp/secretary/serve/mcp/stdio.ts'
import { type Connect, connectClient, isolatedEnvironment } from './mcp-client.ts'

/** The whole server but its transport, in this process: what a tool does is the same, and nothing has to start. */
export const connectInProcess: Connect = async (options = {}) => {
  if (options.args?.length) throw new Error('flags of the command line need a process')
  const env = isolatedEnvironment(options.env)
  const { config } = loadConfig({ env, cwd: process.cwd() })
  const app = await createApp(config, silentLog)
  app.watch()
  const session = randomUUID()
  const own = ownDialog(config)
  const server = createMcpServer(backingOf(app), (_ctx, self) => {
    const client = self.getClientVersion()?.name
    const { user, project } = config
    return { user, role: 'operator', project, client, session, dialog: own(client) }
  })
  announceTo(server, app.changes)
  const [near, far] = InMemoryTransport.createLinkedPair()
  await server.connect(far)
  const connection = await connectClient(options, near)
  return {
    ...connection,
    async close() {
      await connection.close()
      await app.close()
    },
  }
}
