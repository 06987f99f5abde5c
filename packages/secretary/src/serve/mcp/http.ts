import {
  type AuthInfo,
  createMcpHandler,
  type Server,
  type ServerEvent,
  type ServerEventBus,
} from '@modelcontextprotocol/server'
import type { Change } from '@secretary-mcp/core/changes.ts'
import type { App } from '../../app/app.ts'
import { backingOf, createMcpServer } from './create-server.ts'

export interface McpEndpoint {
  /** `auth.extra` says who calls: user and role. */
  fetch(request: Request, auth: AuthInfo): Promise<Response>
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
        user: String(authInfo?.extra?.user),
        role: authInfo?.extra?.role === 'operator' ? 'operator' : 'member',
        client: self.getClientVersion()?.name,
        session: ctx.sessionId,
      }))
      mount(server)
      return server
    },
    {
      bus: listeningTo(app),
      // Bounded before it comes here.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      onerror: (error) => app.log.warn({ err: error }, 'protocol error'),
    },
  )
  return {
    fetch: (request, authInfo) => handler.fetch(request, { authInfo }),
    close: () => handler.close(),
  }
}

/** The app's changes as the protocol names them. */
function listeningTo({ changes }: App): ServerEventBus {
  return {
    publish: (event) => changes.announce(changeOf(event)),
    subscribe: (listener) => changes.listen((change) => listener(eventOf(change))),
  }
}

function changeOf(event: ServerEvent): Change {
  switch (event.kind) {
    case 'tools_list_changed':
      return { kind: 'tools' }
    case 'prompts_list_changed':
      return { kind: 'prompts' }
    case 'resources_list_changed':
      return { kind: 'resources' }
    case 'resource_updated':
      return { kind: 'resource', uri: event.uri }
  }
}

function eventOf(change: Change): ServerEvent {
  return change.kind === 'resource'
    ? { kind: 'resource_updated', uri: change.uri }
    : { kind: `${change.kind}_list_changed` }
}
