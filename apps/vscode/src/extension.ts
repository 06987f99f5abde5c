import { type ExtensionContext, window, workspace } from 'vscode'
import { channelLog } from './channel-log.ts'
import { registerCommands } from './commands/register-commands.ts'
import { registerMore } from './register-more.ts'
import { registerMcpServer } from './server/register-mcp-server.ts'
import type { Services } from './services.ts'
import { chatPlaces } from './sessions/chat-places.ts'
import { DialogSessionsServiceImpl } from './sessions/dialog-sessions-service.ts'
import type { LiveChat } from './sessions/live-chat.ts'
import { watchChats } from './sessions/watch-chats.ts'
import { registerTools } from './tools/register-tools.ts'
import type { DeclaredTool } from './tools/server-tool.ts'
import { CLEARED_AT } from './views/cleared-at.ts'
import { createViews } from './views/create-views.ts'

interface Manifest {
  readonly version: string
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[]
    readonly languageModelTools: readonly DeclaredTool[]
  }
}

const later = async () => (await import('./first-use.ts')).firstUse

/** Wires everything and reads nothing: the chats are looked at when a view or a tool asks. */
export function activate(context: ExtensionContext): void {
  const started = performance.now()
  const channel = window.createOutputChannel('Copilot Chat Secretary', { log: true })
  const log = channelLog(channel)
  const places = chatPlaces(context)
  const { extensionPath, secrets, workspaceState: memory } = context
  const server = { extensionPath, places, secrets }
  let created: Promise<Services> | undefined
  const services = () => {
    created ??= later().then(({ createServices }) => createServices(server, sessions, log))
    return created
  }
  const sessions = new DialogSessionsServiceImpl({
    places,
    log,
    reader: async (changed) => (await later()).chatReader(places, log, changed),
    live: lazyLive(places.user),
    others: async () => (await services()).others,
    showsRequests: () =>
      workspace.getConfiguration('copilotChatSecretary').get<boolean>('enableLogging', false),
  })
  const views = createViews(sessions, memory.get<number>(CLEARED_AT))
  const { version, contributes } = context.extension.packageJSON as Manifest
  context.subscriptions.push(
    channel,
    sessions,
    watchChats(places.window, sessions),
    ...views.disposables,
    ...registerMore({
      services,
      answer: async (...call) =>
        (await later()).answerAsSecretary(
          { sessions, companions: (await services()).companions },
          ...call,
        ),
      hover: async (...place) =>
        (await later()).whyHover((await services()).why).provideHover(...place),
    }),
    ...registerTools({
      monitor: views.monitor,
      sessions,
      declared: contributes.languageModelTools,
      log,
    }),
    ...registerMcpServer({
      list: async () => (await later()).mcpDefinitions(server, version),
      resolve: async (definition) => (await later()).withDatabase(server, definition),
    }),
    { dispose: () => void created?.then((all) => all.dispose()) },
    ...registerCommands(
      contributes.commands.map(({ command }) => command),
      async () =>
        (await later()).commandsOf({
          sessions,
          views,
          channel,
          log,
          memory,
          server,
          services,
          toolNames: contributes.languageModelTools.map((tool) => tool.toolReferenceName),
        }),
    ),
  )
  log.info(`Activated in ${Math.round(performance.now() - started)} ms`)
}

function lazyLive(user: string): LiveChat {
  const live = async () => (await later()).liveCopies(user)
  return {
    take: async () => (await live()).take(),
    keep: async (path, chat, isCalling) => (await live()).keep(path, chat, isCalling),
  }
}
