import type { Log } from '@secretary-mcp/core/log.ts'
import type { LogOutputChannel, Memento, SecretStorage } from 'vscode'
import { addToolSet } from '../chat/tool-set.ts'
import { setDatabaseAddress } from '../server/database-address.ts'
import { inherited } from '../server/inherited.ts'
import { openInBrowser, openInEditor } from '../server/open-page.ts'
import { type ServerParts, serverProgram } from '../server/server-program.ts'
import { trustRules } from '../server/trust-rules.ts'
import type { Services } from '../services.ts'
import type { DialogSessionsServiceImpl } from '../sessions/dialog-sessions-service.ts'
import type { Views } from '../views/create-views.ts'
import { whyCommands } from '../why/why-commands.ts'
import { api } from './api.ts'
import { copyCommands } from './copy-commands.ts'
import { listCommands } from './list-commands.ts'
import { turnCommands } from './turn-commands.ts'
import { workCommands } from './work-commands.ts'

export type Commands = Readonly<Record<string, (...args: never[]) => unknown>>

export interface CommandParts {
  readonly sessions: DialogSessionsServiceImpl
  readonly views: Views
  readonly channel: LogOutputChannel
  readonly log: Log
  readonly memory: Memento
  readonly server: ServerParts & { readonly secrets: SecretStorage }
  readonly services: () => Promise<Services>
  /** As a prompt refers to the extension's tools. */
  readonly toolNames: readonly string[]
}

/** By the names of the manifest, without the part that they all share. */
export function commandsOf(parts: CommandParts): Commands {
  const { sessions, views, channel, log, server, services } = parts
  const refresh = async () => {
    await sessions.joinLive()
    await sessions.refresh()
  }
  return {
    ...copyCommands(parts),
    ...listCommands(parts),
    ...turnCommands(parts),
    ...whyCommands(async () => (await services()).why),
    ...workCommands(services),
    addToolSet: () => addToolSet(server.places, parts.toolNames),
    refreshStatus: refresh,
    refreshDialogs: refresh,
    showLogs: () => channel.show(),
    openDashboard: async () => openInBrowser((await services()).companions.main, log),
    async openPage() {
      const { companions, page } = await services()
      await openInEditor(companions.main, page, log)
    },
    trustRules: () => trustRules(serverProgram(server), inherited()),
    async setDatabaseAddress() {
      if (await setDatabaseAddress(server.secrets)) (await services()).companions.dispose()
    },
    openCurrentDialog: () => views.opened.open(undefined),
    ...apiCommands(sessions),
  }
}

/** For other extensions: `commands.executeCommand('copilotChatSecretary.api.…')`. */
function apiCommands(sessions: DialogSessionsServiceImpl): Commands {
  return Object.fromEntries(
    Object.entries(api(sessions)).map(([name, run]) => [`api.${name}`, run]),
  )
}
