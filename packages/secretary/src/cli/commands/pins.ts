import { quoteLine } from '@secretary-mcp/core/quote.ts'
import { type Pin, type PinAnswer, pinLine } from '../../dialogs/pins/pins.ts'
import { pinRequest } from '../../dialogs/tools/pin-request.ts'
import { unpinRequest } from '../../dialogs/tools/unpin-request.ts'
import type { RegisterCommand } from '../command-context.ts'
import { resolveSession, WHERE_DIALOGS_ARE } from '../dialog-words.ts'
import { toolCommand } from '../tool-command.ts'

/** `secretary pins`, `pins add [SENTENCE]`, `pins remove ID`. */
export const registerPins: RegisterCommand = (program, context) => {
  const group = program
    .command('pins')
    .description('pin what every agent of the project is told first')
  group
    .command('list', { isDefault: true })
    .description('list the pins of this project, newest first')
    .option('--json', 'print JSON')
    .action(async (_options, command) => {
      const pins = await context.withApp(command, (app) => app.dialogs.pins.list(app.localCaller))
      if (command.opts().json) return context.terminal.print(JSON.stringify({ pins }, null, 2))
      if (pins.length === 0)
        return context.terminal.note(
          'Nothing is pinned. `secretary pins add` pins the latest request.',
        )
      context.terminal.list(pins.map(line))
    })
  toolCommand<PinAnswer>(group, context, {
    name: 'add',
    tool: pinRequest,
    positional: ['text...'],
    flags: { sessionId: 'session' },
    description: 'pin a request, or a sentence of it exactly as you typed it',
    resolve: resolveSession,
    hints: { not_found: WHERE_DIALOGS_ARE },
    lines: ({ pin, replaced = [] }) => [
      `Pinned ${line(pin)}`,
      ...replaced.map((old) => `Replaced ${line(old)}`),
    ],
  })
  toolCommand<{ pin: Pin }>(group, context, {
    name: 'remove',
    tool: unpinRequest,
    positional: ['id'],
    lines: ({ pin }) => [`Unpinned ${line(pin)}`],
  })
}

function line(pin: Pin): string {
  return `${pin.id}: ${quoteLine(pinLine(pin))}`
}
