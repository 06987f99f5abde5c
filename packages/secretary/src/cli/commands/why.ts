import { shownLine } from '@secretary-mcp/transcripts/preview.ts'
import { whyTool } from '../../dialogs/tools/why.ts'
import type { Why } from '../../dialogs/why/why.ts'
import { type RegisterCommand, UsageError } from '../command-context.ts'
import { day, sharedBy, shownSessionIds } from '../dialog-words.ts'
import { toolCommand } from '../tool-command.ts'

const MAX_LINE = 400
const PLACE = /^(.+?):(\d+)(?:-(\d+))?$/

/** `secretary why src/a.ts:10-20`. */
export const registerWhy: RegisterCommand = (program, context) => {
  toolCommand<Why>(program, context, {
    name: 'why',
    tool: whyTool,
    positional: ['file'],
    adjust: (args) => {
      const [, file, line, endLine] = PLACE.exec(String(args.file)) ?? []
      if (file !== undefined)
        return { file, line: Number(line), ...(endLine ? { endLine: Number(endLine) } : {}) }
      if (args.line === undefined) throw new UsageError('Name a line, such as src/a.ts:10')
      return args
    },
    lines: async ({ requests, unexplained }, app) => {
      const shownId = await shownSessionIds(app, context.terminal)
      return [
        ...context.terminal.fitted(
          requests.flatMap(
            ({
              lines,
              timestamp,
              source,
              sessionId,
              index,
              evidence,
              commit,
              request,
              answers,
              ...from
            }) => [
              `${context.terminal.style('cyan', ranges(lines))}  ${day(timestamp)}  ${source} ${shownId(sessionId)} #${index} (${evidence}${commit ? `, ${commit}` : ''}${sharedBy(from)})`,
              ...(answers ? [`    (answers: ${shownLine(answers, MAX_LINE)})`] : []),
              `    ${shownLine(request, MAX_LINE)}`,
            ],
          ),
        ),
        ...(unexplained.length > 0
          ? [`${ranges(unexplained)}  no request is known to have led to this`]
          : []),
      ]
    },
  })
}

function ranges(lines: readonly (readonly [number, number])[]): string {
  return lines.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ')
}
