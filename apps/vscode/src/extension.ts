import { type ExtensionContext, window, workspace } from 'vscode'
import { channelLog } from './channel-log.ts'
import { registerApi } from './commands/register-api.ts'
import { CLEARED_AT, registerCommands } from './commands/register-commands.ts'
import { LazyDashboard } from './server/lazy-dashboard.ts'
import { registerMcpServer } from './server/register-mcp-server.ts'
import { chatPlaces } from './sessions/chat-places.ts'
import { DialogSessionsServiceImpl } from './sessions/dialog-sessions-service.ts'
import { watchChats } from './sessions/watch-chats.ts'
import { registerTools } from './tools/register-tools.ts'
import { createViews } from './views/create-views.ts'

/** Wires everything and reads nothing: the chats are looked at when a view or a tool asks. */
export function activate(context: ExtensionContext): void {
  const started = performance.now()
  const channel = window.createOutputChannel('Copilot Chat Secretary', { log: true })
  const log = channelLog(channel)
  const places = chatPlaces(context)
  const sessions = new DialogSessionsServiceImpl({
    places,
    log,
    exportChat: async () =>
      (await import('./first-use.ts')).firstUse.exportChat(context.globalStorageUri.fsPath),
    showsRequests: () =>
      workspace.getConfiguration('copilotChatSecretary').get<boolean>('enableLogging', false),
  })
  const views = createViews(sessions, context.workspaceState.get<number>(CLEARED_AT))
  const dashboard = new LazyDashboard(context.extensionPath, log)
  const { version } = context.extension.packageJSON as { version: string }
  context.subscriptions.push(
    channel,
    sessions,
    watchChats(places.window, sessions),
    ...views.disposables,
    ...registerTools(views.monitor, sessions, log),
    ...registerMcpServer(context.extensionPath, version),
    dashboard,
    ...registerCommands({
      sessions,
      views,
      channel,
      dashboard,
      memory: context.workspaceState,
      extensionPath: context.extensionPath,
    }),
    ...registerApi(sessions),
  )
  log.info(`Activated in ${Math.round(performance.now() - started)} ms`)
}
