import type { Command } from 'commander'
import type { GrepAnswer } from '../../context/grep/grep.ts'
import type { RegisterCommand } from '../command-context.ts'
import { runTool } from '../run-tool.ts'

export const registerGrep: RegisterCommand = (program, context) => {
  const { terminal } = context
  program
    .command('grep <pattern>')
    .description('search text by regular expression, ignored files left out')
    .option('--files <glob>', 'only these files, such as "src/**/*.ts"')
    .option('--case', 'mind the case')
    .option('--limit <n>', 'at most so many matches', Number)
    .option('--json', 'as JSON')
    .action(
      (
        pattern: string,
        { files, case: caseSensitive, limit }: Record<string, unknown>,
        command: Command,
      ) =>
        runTool(context, {
          command,
          tool: 'grep_codebase',
          args: { pattern, filePattern: files, caseSensitive, limit },
          lines: (body) => linesOf(body as object as GrepAnswer),
        }),
    )

  function linesOf({ matches, totalMatches, truncated, message }: GrepAnswer): string[] {
    const found = matches.map(
      ({ file, line, column, text }) =>
        `${terminal.style('cyan', `${file}:${line}:${column}`)}: ${text}`,
    )
    const rest = truncated
      ? [`… more than ${totalMatches - 1} matches; --limit shows more, --files narrows`]
      : []
    return [...found, ...rest, ...(message ? [message] : [])]
  }
}
