import type { Command } from 'commander'
import type { ReadAnswer } from '../../context/context.ts'
import { type RegisterCommand, UsageError } from '../command-context.ts'
import { runTool } from '../run-tool.ts'

export const registerRead: RegisterCommand = (program, context) => {
  program
    .command('read <path>')
    .description('print a file of the project as agents get it')
    .option('--deps', 'with the files it imports')
    .option('--lines <from-to>', 'only these lines, such as 10-40')
    .option('--json', 'as JSON')
    .action((path: string, { deps, lines }: { deps?: boolean; lines?: string }, command: Command) =>
      runTool(context, {
        command,
        tool: 'read_file',
        args: { path, includeDeps: deps, ...rangeOf(lines) },
        lines: (body) => {
          const { file, dependencies, message } = body as object as ReadAnswer
          const shown = dependencies.flatMap(({ path: name, type, content, omitted }) => [
            '',
            `== ${name} (${type})`,
            content ?? omitted ?? '',
          ])
          return [file.content.replace(/\n$/, ''), ...shown, ...(message ? [message] : [])]
        },
      }),
    )
}

function rangeOf(lines: string | undefined): { startLine?: number; endLine?: number } {
  if (lines === undefined) return {}
  const [, from, to] = /^(\d+)(?:-(\d*))?$/.exec(lines) ?? []
  if (!from) throw new UsageError('--lines takes a number or a range, such as 10-40')
  return {
    startLine: Number(from),
    endLine: to === undefined ? Number(from) : to === '' ? undefined : Number(to),
  }
}
