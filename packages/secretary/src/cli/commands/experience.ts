import type { KnownCommand } from '../../dialogs/experience/how.ts'
import { fixTool } from '../../dialogs/tools/fix.ts'
import { howTool } from '../../dialogs/tools/how.ts'
import type { RegisterCommand } from '../command-context.ts'
import { day, shownSessionIds } from '../dialog-words.ts'
import { toolCommand } from '../tool-command.ts'

export const registerHow: RegisterCommand = (program, context) => {
  const command = toolCommand<{ commands: KnownCommand[] }>(program, context, {
    name: 'how',
    tool: howTool,
    positional: ['what...'],
    lines: ({ commands }) =>
      commands.length === 0
        ? ['Nothing known.']
        : context.terminal.fitted(
            commands.map(
              ({ command, passed, failed, last, definition }) =>
                `${context.terminal.style('cyan', command)}  ${passed + failed === 0 ? 'not seen to pass or fail' : `passed ${passed}, failed ${failed}`}${last === undefined ? '' : `, last ${day(last)}`}${definition ? `  (${definition})` : ''}`,
            ),
          ),
  })
  // An error may begin with dashes: `--- FAIL: TestX`.
  command.allowUnknownOption()
}

const MAX_DIFF_LINES = 12

interface Fixes {
  readonly fixes: {
    sessionId: string
    index: number
    timestamp: number
    command: string
    done: string
    changes: { path: string; diff?: string }[]
    ran: string[]
  }[]
}

export const registerFix: RegisterCommand = (program, context) => {
  const command = toolCommand<Fixes>(program, context, {
    name: 'fix',
    tool: fixTool,
    positional: ['error...'],
    lines: async ({ fixes }, app) => {
      const shownId = await shownSessionIds(app, context.terminal)
      return fixes.length === 0
        ? ['This error has not been fixed in this project before.']
        : context.terminal.fitted(
            fixes.flatMap(({ timestamp, command, done, sessionId, index, changes, ran }) => [
              `${day(timestamp)}  ${context.terminal.style('cyan', command)}  ${done}  (${shownId(sessionId)} #${index})`,
              ...changes.flatMap(({ path, diff = '' }) => [
                `    ${path}`,
                ...diff
                  .split('\n')
                  .filter(Boolean)
                  .slice(0, MAX_DIFF_LINES)
                  .map((line) => `      ${line}`),
              ]),
              ...ran.map((line) => `    ran ${line}`),
            ]),
          )
    },
  })
  // An error may begin with dashes: `--- FAIL: TestX`.
  command.allowUnknownOption()
}
