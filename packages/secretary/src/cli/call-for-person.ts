import type { Command } from 'commander'
import type { App } from '../app/app.ts'
import { Failure } from '@secretary-mcp/core/failure.ts'
import type { Result } from '@secretary-mcp/core/result.ts'
import type { Tool } from '@secretary-mcp/core/tool.ts'
import { type CommandContext, UsageError } from './command-context.ts'
import { confirmDestroying } from './confirm-destroying.ts'
import { oneLine } from './terminal.ts'

export type Given = Readonly<Record<string, unknown>>
type Lines = readonly string[]

interface PersonCall<T> {
  readonly tool: Tool
  readonly prepare?: (app: App) => Promise<void>
  readonly resolve?: (app: App, args: Given) => Promise<Given>
  readonly lines: (value: T, app: App) => Lines | Promise<Lines>
  /** The lines hold a text with ends of lines of its own; otherwise each is one row, whatever is in it. */
  readonly isText?: boolean
  readonly isFound?: (value: T) => boolean
  readonly hints?: Readonly<Record<string, string>>
}

/** What the person typed is at fault. */
const USAGE_ERRORS = new Set(['validation_error', 'invalid_regex'])

/** Runs a tool through the one boundary and prints its answer for a person, or as JSON where that was asked for. */
export function callForPerson<T>(
  context: CommandContext,
  command: Command,
  { tool, prepare, resolve, lines, isText, isFound, hints = {} }: PersonCall<T>,
  args: Given,
): Promise<void> {
  const { terminal } = context
  const { json, yes } = command.optsWithGlobals<{ json?: boolean; yes?: boolean }>()
  return context.withApp(command, async (app) => {
    const name = finalName(app, tool)
    await confirmDestroying(tool, name, terminal, yes)
    await prepare?.(app)
    const resolved = resolve ? await resolve(app, args) : args
    const { result, text } = await app.boundary.call(name, resolved, app.localCaller)
    if (!result.success) {
      terminal.note(
        [explanation(result), hints[result.errorType ?? '']].filter(Boolean).join('\n  '),
      )
      process.exitCode = USAGE_ERRORS.has(result.errorType ?? '') ? 2 : 1
      return
    }
    const value = result.value as T
    if (isFound && !isFound(value)) process.exitCode = 1
    if (json) return terminal.print(text)
    for (const line of await lines(value, app)) terminal.print(isText ? line : oneLine(line))
    const { note } = result.value as { note?: unknown }
    if (typeof note === 'string') terminal.note(note)
  })
}

/** A tool's name in this installation. */
export function finalName({ tools, noProject }: App, tool: Tool): string {
  const found = [...tools.values()].find((decorated) => decorated.tool === tool)
  if (!found && noProject && tool.family === 'context') throw new Failure('no_project', noProject)
  if (!found)
    throw new UsageError(
      `The ${tool.family} tools are switched off; add ${tool.family} to SECRETARY_FAMILIES`,
    )
  return found.name
}

/** What happened, what it is about, what to do. */
function explanation({ error = '', issues, data = {}, message }: Result): string {
  if (issues) return issues.map((issue) => issue.message).join('\n')
  const { path, pattern, details, fallback, suggestion } = data
  const more = [path, pattern, details, data.message ?? message, fallback ?? suggestion]
  const texts = [error, ...more].filter((text) => typeof text === 'string' && text !== '')
  return texts.map((text) => oneLine(String(text))).join('\n  ')
}
