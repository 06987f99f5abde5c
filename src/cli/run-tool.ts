import type { Command } from 'commander'
import type { Result } from '../core/result.ts'
import type { Shape } from '../core/tool.ts'
import type { CommandContext } from './command-context.ts'

interface ToolRun {
  readonly command: Command
  readonly tool: string
  readonly args: object
  /** Lines for a person; with --json the answer itself is printed. */
  readonly lines: (body: Shape['body']) => readonly string[]
}

/** A command that is a short form of a tool: same boundary, same limits, same words. */
export function runTool(
  context: CommandContext,
  { command, tool, args, lines }: ToolRun,
): Promise<void> {
  const { terminal } = context
  return context.withApp(command, async (app) => {
    const { result, shape, text } = await app.boundary.call(tool, args, app.localCaller)
    if (!result.success) {
      terminal.note(explanation(result))
      process.exitCode = 1
    } else if (command.optsWithGlobals<{ json?: boolean }>().json) terminal.print(text)
    else for (const line of lines(shape.body)) terminal.print(line)
  })
}

/** A failure for a person: what happened, what it is about, what to do. */
function explanation({ error = '', issues, data = {}, message }: Result): string {
  if (issues) return issues.map((issue) => issue.message).join('\n')
  const { path, pattern, details, fallback, suggestion } = data
  const more = [path, pattern, details, data.message ?? message, fallback ?? suggestion].filter(
    (text) => typeof text === 'string' && text !== '',
  )
  return [error, ...more].join('\n  ')
}
