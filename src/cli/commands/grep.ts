import type { GrepAnswer } from '../../context/grep/grep.ts'
import { grepCodebase } from '../../context/tools/grep-codebase.ts'
import type { RegisterCommand } from '../command-context.ts'
import { toolCommand } from '../tool-command.ts'

export const registerGrep: RegisterCommand = (program, context) => {
  toolCommand<GrepAnswer>(program, context, {
    name: 'grep',
    tool: grepCodebase,
    positional: ['pattern'],
    flags: { filePattern: 'files', caseSensitive: 'case' },
    lines: ({ matches, totalMatches, truncated, message }) => [
      ...matches.map(
        ({ file, line, column, text }) =>
          `${context.terminal.style('cyan', `${file}:${line}:${column}`)}: ${text}`,
      ),
      ...(truncated
        ? [`… more than ${totalMatches - 1} matches; --limit shows more, --files narrows`]
        : []),
      ...(message ? [message] : []),
    ],
  })
}
