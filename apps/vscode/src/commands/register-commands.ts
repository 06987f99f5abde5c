import { commands, type Disposable } from 'vscode'
import type { Commands } from './commands.ts'

const PREFIX = 'copilotChatSecretary.'

/** Every command of the manifest; what it does is loaded when one is first used. */
export function registerCommands(
  ids: readonly string[],
  load: () => Promise<Commands>,
): Disposable[] {
  let all: Promise<Commands> | undefined
  return ids.map((id) =>
    commands.registerCommand(id, async (...args: never[]) => {
      all ??= load()
      return (await all)[id.slice(PREFIX.length)]?.(...args)
    }),
  )
}
