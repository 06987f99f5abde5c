import { type AuthInfo, createMcpHandler, type Server } from '@modelcontextprotocol/server'
import type { App } from '../../app.ts'
import { backingOf } from './backing.ts'
import { createMcpServer } from './create-server.ts'

/** Large enough that a 5 MB argument gets the tool's own answer, not a protocol's. */
const LARGEST_BODY = 16 * 1024 * 1024

export interface McpEndpoint {
  fetch(request: Request, user: string, auth?: AuthInfo): Promise<Response>
  close(): Promise<void>
}

/** Changes a server before it is used: how a test mounts fixtures on the real stack. */
export type Mount = (server: Server) => void

/** Stateless: every request gets a server object of its own, so a restart loses no session. */
export function createMcpEndpoint(app: App, mount: Mount = () => {}): McpEndpoint {
  const backing = backingOf(app)
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const server = createMcpServer(backing, (ctx, self) => ({
        ...app.localCaller,
        user: String(authInfo?.extra?.user ?? app.localCaller.user),
        client: self.getClientVersion()?.name,
        session: ctx.sessionId,
      }))
      mount(server)
      return server
    },
    { maxRequestBodySize: LARGEST_BODY, onerror: (error) => app.log.warn({ err: error }, 'protocol error') },
  )
  const stop = app.changes.listen((change) => {
    if (change.kind === 'tools') handler.notify.toolsChanged()
    if (change.kind === 'prompts') handler.notify.promptsChanged()
    if (change.kind === 'resources') handler.notify.resourcesChanged()
    if (change.kind === 'resource') handler.notify.resourceUpdated(change.uri)
  })
  return {
    fetch: (request, user, auth) =>
      handler.fetch(request, { authInfo: auth ?? { token: '', clientId: user, scopes: [], extra: { user } } }),
    async close() {
      stop()
      await handler.close()
    },
  }
}
