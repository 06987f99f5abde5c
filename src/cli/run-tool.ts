import type { Command } from 'commander'
import type { Answer } from '../core/boundary.ts'
import type { CommandContext } from './command-context.ts'

interface ToolRun {
  readonly command: Command
  readonly tool: string
  readonly args: object
  /** Lines for a person; with --json the answer itself is printed. */
  readonly lines: (body: Answer['body']) => readonly string[]
}

/** A command that is a short form of a tool: same boundary, same limits, same words. */
export function runTool(
  context: CommandContext,
  { command, tool, args, lines }: ToolRun,
): Promise<void> {
  const { terminal } = context
  return context.withApp(command, async (app) => {
    const { body, text, isError } = await app.boundary.call(tool, args, app.localCaller)
    if (isError) {
      const error = String(body.error)
      const told = [
        body.path,
        body.pattern,
        body.details,
        body.message,
        body.fallback ?? body.suggestion,
      ].map(plain)
      const more = told.filter((text) => text !== '' && text.toLowerCase() !== error.toLowerCase())
      terminal.note([error, ...more].join('\n  '))
      process.exitCode = 1
    } else if (command.optsWithGlobals<{ json?: boolean }>().json) terminal.print(text)
    else for (const line of lines(body)) terminal.print(line)
  })
}

function plain(value: unknown): string {
  if (Array.isArray(value))
    return value.map((issue: { message?: string }) => issue.message ?? '').join('; ')
  return typeof value === 'string' ? value : ''
}
