import { commands, type Disposable } from 'vscode'
import type { DialogSessionsServiceImpl } from '../sessions/dialog-sessions-service.ts'

const NAMES = ['getStatus', 'getCurrentDialog', 'getDialogHistory', 'getSession'] as const

export type Api = Readonly<Record<(typeof NAMES)[number], (argument?: unknown) => Promise<unknown>>>

/** For other extensions: `commands.executeCommand('copilotChatSecretary.api.…')`. */
export function registerApi(sessions: DialogSessionsServiceImpl): Disposable[] {
  return NAMES.map((name) =>
    commands.registerCommand(`copilotChatSecretary.api.${name}`, async (argument?: unknown) => {
      const { firstUse } = await import('../first-use.ts')
      return firstUse.api(sessions)[name](argument)
    }),
  )
}
