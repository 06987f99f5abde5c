import type { GrepAnswer, Match } from '../../context/grep/grep.ts'
import { grepCodebase } from '../../context/tools/grep-codebase.ts'
import type { RegisterCommand } from '../command-context.ts'
import { markPattern } from '../mark-words.ts'
import { toolCommand } from '../tool-command.ts'

const BEFORE = 12

export const registerGrep: RegisterCommand = (program, context) => {
  const { terminal } = context
  const command = toolCommand<GrepAnswer>(program, context, {
    name: 'grep',
    tool: grepCodebase,
    positional: ['pattern'],
    flags: { filePattern: 'files', caseSensitive: 'case' },
    isFound: ({ matches }) => matches.length > 0,
    lines: ({ matches, pattern, totalMatches, truncated, message }) => {
      const flags = command.opts<{ case?: boolean }>().case ? 'g' : 'gi'
      const shown = matches.map((match) => onScreen(match, terminal.columns))
      const texts = markPattern(terminal, shown, pattern, flags)
      return [
        ...terminal.fitted(
          matches.map(
            ({ file, line, column }, at) =>
              `${terminal.style('cyan', `${file}:${line}:${column}`)}: ${texts[at]}`,
          ),
        ),
        ...(truncated
          ? [`… more than ${totalMatches - 1} matches; --limit shows more, --files narrows`]
          : []),
        ...(message ? [message] : []),
      ]
    },
  })
}

/** Without its indentation, and from a little before the match where that is far to the right; whole for a pipe. */
function onScreen({ text, column }: Match, columns: number): string {
  if (columns === Number.POSITIVE_INFINITY) return text
  const shown = text.trim()
  const place = column - 1 - (text.length - text.trimStart().length)
  const isFar = place > columns / 2 && place < shown.length
  const start = isFar ? shown.lastIndexOf(' ', place - BEFORE) + 1 : 0
  return start > 0 ? `…${shown.slice(start)}` : shown
}
