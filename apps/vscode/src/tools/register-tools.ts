import { type Disposable, lm } from 'vscode'
import type { Log } from '../../../../src/core/log.ts'
import type { DialogSessionsServiceImpl } from '../sessions/dialog-sessions-service.ts'
import type { ChatMonitorTreeProvider } from '../views/chat-monitor-tree-provider.ts'
import { GetFirstRequestTool } from './get-first-request-tool.ts'
import { GetRequestTool } from './get-request-tool.ts'

export function registerTools(
  monitor: ChatMonitorTreeProvider,
  sessions: DialogSessionsServiceImpl,
  log: Log,
): Disposable[] {
  return [new GetRequestTool(monitor, sessions), new GetFirstRequestTool(monitor, sessions)].map(
    (tool) => {
      const registered = lm.registerTool(tool.name, tool)
      log.info(`MCP tool registered: ${tool.name}`)
      return registered
    },
  )
}
