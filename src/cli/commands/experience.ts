import type { KnownCommand } from '../../dialogs/experience/how.ts'
import { fixTool } from '../../dialogs/tools/fix.ts'
import { howTool } from '../../dialogs/tools/how.ts'
import type { RegisterCommand } from '../command-context.ts'
import { day, shownSessionIds } from '../dialog-words.ts'
import { toolCommand } from '../tool-command.ts'

export const registerHow: RegisterCommand = (program, context) => {
  toolCommand<{ commands: KnownCommand[] }>(program, context, {
    name: 'how',
    tool: howTool,
    positional: ['what...'],
    lines: ({ commands }) =>
      commands.length === 0
        ? ['No such command has succeeded in this project yet.']
        : context.terminal.fitted(
            commands.map(
              ({ command, passed, failed, last }) =>
                `${context.terminal.style('cyan', command)}  passed ${passed}, failed ${failed}, last ${day(last)}`,
            ),
          ),
  })
}

interface Fixes {
  readonly fixes: {
    sessionId: string
    index: number
    timestamp: number
    command: string
    done: string
  }[]
}

export const registerFix: RegisterCommand = (program, context) => {
  toolCommand<Fixes>(program, context, {
    name: 'fix',
    tool: fixTool,
    positional: ['error...'],
    lines: async ({ fixes }, app) => {
      const shownId = await shownSessionIds(app, context.terminal)
      return fixes.length === 0
        ? ['This error has not been fixed in this project before.']
        : context.terminal.fitted(
            fixes.map(
              ({ timestamp, command, done, sessionId, index }) =>
                `${day(timestamp)}  ${context.terminal.style('cyan', command)}  ${done}  (${shownId(sessionId)} #${index})`,
            ),
          )
    },
  })
}
