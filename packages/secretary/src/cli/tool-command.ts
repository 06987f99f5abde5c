import type { Command } from 'commander'
import type { App } from '../app/app.ts'
import type { JsonSchema } from '@secretary-mcp/core/json-schema.ts'
import type { Tool } from '@secretary-mcp/core/tool.ts'
import { callForPerson, type Given } from './call-for-person.ts'
import { type CommandContext, UsageError } from './command-context.ts'
import { commandExample } from './command-example.ts'
import { flagName, numberOr, toolOption } from './tool-option.ts'

/** What was typed: the tool's arguments as they were understood, and every option. */
export interface Chosen {
  readonly args: Given
  readonly options: Given
  readonly command: Command
}

/** What a command adds to a tool: which arguments stand without a flag, and how a person sees the answer. */
export interface ToolCommand<T> {
  readonly name: string
  readonly tool: Tool
  readonly alias?: string
  /** Runs where only the group is named. */
  readonly isDefault?: boolean
  /** Arguments by position; three dots take all words that follow. */
  readonly positional?: readonly string[]
  /** Between the words of a positional argument with dots. */
  readonly joinedBy?: string
  /** Arguments that the command itself gives; it has no flags for the others then. */
  readonly sets?: Given
  readonly description?: string
  /** Shorter flags, by argument: `includeDeps: 'deps'`. */
  readonly flags?: Readonly<Record<string, string>>
  /** The tool's arguments, from what was given and the command's own options. */
  readonly adjust?: (args: Given, options: Given) => Given
  /** Another way to do it, where the command's own options ask for one. */
  readonly instead?: (chosen: Chosen) => Promise<void> | undefined
  readonly prepare?: (app: App) => Promise<void>
  /** The arguments once the app is there: the whole id for its beginning. */
  readonly resolve?: (app: App, args: Given) => Promise<Given>
  readonly lines: (value: T, app: App) => readonly string[] | Promise<readonly string[]>
  /** The lines hold a text with ends of lines of its own; otherwise each is one row, whatever is in it. */
  readonly isText?: boolean
  /** For a search: the command ends with 1 where nothing was found, as grep does. */
  readonly isFound?: (value: T) => boolean
  /** What to do about a failure, by its kind. */
  readonly hints?: Readonly<Record<string, string>>
}

/** A command made from a tool's definition: flags, help, checks and the question before something is destroyed. */
export function toolCommand<T>(
  parent: Command,
  context: CommandContext,
  spec: ToolCommand<T>,
): Command {
  const { tool, positional = [], flags = {}, sets, adjust = (args: Given) => args } = spec
  const { properties = {}, required = [] } = tool.arguments.toJsonSchema() as Arguments
  const command: Command = parent
    .command(spec.name, { isDefault: spec.isDefault })
    .description(spec.description ?? helpLine(tool.description))
    .addHelpText('after', () => commandExample(command, spec))
  if (spec.alias) command.alias(spec.alias)
  for (const place of positional) {
    const name = bare(place)
    command.argument(
      required.includes(name) ? `<${place}>` : `[${place}]`,
      String(properties[name]?.description ?? ''),
    )
  }
  const named = Object.entries(sets ? {} : properties).filter(
    ([name]) => !positional.map(bare).includes(name),
  )
  const options = named.map(([name, schema]) => ({
    name,
    option: toolOption(flags[name] ?? flagName(name), schema),
  }))
  for (const { option } of options) command.addOption(option)
  if (tool.effect === 'destroy') command.option('--yes', 'do not ask for confirmation')
  command.option('--json', 'print the answer as JSON')

  return command.action(async (...given: unknown[]) => {
    const set = command.optsWithGlobals<Given>()
    const byPlace = positional.map((place, at) => [
      bare(place),
      positionalValue(given[at], properties[bare(place)], spec.joinedBy),
    ])
    const byFlag = options.map(({ name, option }) => [name, set[option.attributeName()]])
    const args = Object.fromEntries(
      [...byPlace, ...byFlag].filter(([, value]) => value !== undefined),
    )
    const adjusted = adjust({ ...args, ...sets }, set)
    const parsed = tool.arguments.parse(adjusted)
    if (!parsed.ok) throw new UsageError(parsed.issues.map(({ message }) => message).join('\n'))
    const other = spec.instead?.({ args: parsed.value, options: set, command })
    await (other ?? callForPerson<T>(context, command, spec, adjusted))
  })
}

interface Arguments {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
}

function positionalValue(given: unknown, schema: JsonSchema = {}, joinedBy = ' '): unknown {
  if (Array.isArray(given)) return given.length > 0 ? given.join(joinedBy) : undefined
  const isNumber = schema.type === 'integer' || schema.type === 'number'
  return isNumber && given !== undefined ? numberOr(String(given)) : given
}

function bare(place: string): string {
  return place.replace(/\.\.\.$/, '')
}

/** A tool's first line, written as the other commands' are: no capital, no full stop. */
function helpLine(text: string): string {
  const [line = ''] = text.split('\n')
  return (line.charAt(0).toLowerCase() + line.slice(1)).replace(/\.$/, '')
}
