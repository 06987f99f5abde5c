import type { Log } from '@secretary-mcp/core/log.ts'
import { type Disposable, lm } from 'vscode'
import type { DialogSessionsServiceImpl } from '../sessions/dialog-sessions-service.ts'
import type { ChatMonitorTreeProvider } from '../views/chat-monitor-tree-provider.ts'
import { GetFirstRequestTool } from './get-first-request-tool.ts'
import { GetRequestTool } from './get-request-tool.ts'
import { type DeclaredTool, ServerTool } from './server-tool.ts'

interface Parts {
  readonly monitor: ChatMonitorTreeProvider
  readonly sessions: DialogSessionsServiceImpl
  /** The manifest's entries. */
  readonly declared: readonly DeclaredTool[]
  readonly log: Log
}

/** The first two are answered here, from what VS Code has in memory; the rest by the server. */
export function registerTools({ monitor, sessions, declared, log }: Parts): Disposable[] {
  const own = [new GetRequestTool(monitor, sessions), new GetFirstRequestTool(monitor, sessions)]
  const names = new Set<string>(own.map(({ name }) => name))
  const others = declared
    .filter(({ name }) => !names.has(name))
    .map((tool) => new ServerTool(monitor, sessions, tool))
  return [...own, ...others].map((tool) => {
    const registered = lm.registerTool<object>(tool.name, tool)
    log.info(`MCP tool registered: ${tool.name}`)
    return registered
  })
}
