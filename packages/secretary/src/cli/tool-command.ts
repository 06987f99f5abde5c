import { Failure } from '@secretary-mcp/core/failure.ts'
import { type JsonSchema, plainWords } from '@secretary-mcp/core/json-schema.ts'
import type { Result } from '@secretary-mcp/core/result.ts'
import type { Tool } from '@secretary-mcp/core/tool.ts'
import { type Command, Option } from 'commander'
import type { App } from '../app/app.ts'
import { type CommandContext, UsageError } from './command-context.ts'
import { reportScan } from './progress-reporter.ts'
import { confirmDestroying } from './questions.ts'
import { oneLine } from './terminal.ts'

/** What the person typed is at fault. */
const USAGE_ERRORS = new Set(['validation_error', 'invalid_regex'])

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
  /** A number that may be given by words. */
  readonly named?: Named
  readonly lines: (value: T, app: App) => readonly string[] | Promise<readonly string[]>
  /** The lines hold a text with ends of lines of its own; otherwise each is one row, whatever is in it. */
  readonly isText?: boolean
  /** For a search: the command ends with 1 where nothing was found, as grep does. */
  readonly isFound?: (value: T) => boolean
  /** What to do about a failure, by its kind. */
  readonly hints?: Readonly<Record<string, string>>
}

/** Finds the number of what the words mean. */
export interface Named {
  readonly argument: string
  readonly find: (app: App, words: string) => Promise<number>
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
    const { argument } = spec.named ?? {}
    const isNamed = argument !== undefined && typeof adjusted[argument] === 'string'
    const parsed = tool.arguments.parse(isNamed ? { ...adjusted, [argument]: 1 } : adjusted)
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
  const words = Array.isArray(given) ? given.join(joinedBy) : given
  if (Array.isArray(given) && given.length === 0) return undefined
  const isNumber = schema.type === 'integer' || schema.type === 'number'
  return isNumber && words !== undefined ? numberOr(String(words)) : words
}

function bare(place: string): string {
  return place.replace(/\.\.\.$/, '')
}

/** A tool's first line, written as the other commands' are: no capital, no full stop. */
function helpLine(text: string): string {
  const [line = ''] = text.split('\n')
  return (line.charAt(0).toLowerCase() + line.slice(1)).replace(/\.$/, '')
}

interface Exemplified {
  readonly tool: Tool
  readonly positional?: readonly string[]
  readonly flags?: Readonly<Record<string, string>>
  readonly sets?: Readonly<Record<string, unknown>>
}

/** The examples of a tool as a person would type them. */
function commandExample(
  command: Command,
  { tool, positional = [], flags = {}, sets }: Exemplified,
): string {
  const places = positional.map((place) => place.replace(/\.\.\.$/, ''))
  const { properties = {} } = tool.arguments.toJsonSchema() as Arguments
  // A switch that is off by itself has no flag that turns it off.
  const canBeTyped = ([name, value]: [string, unknown]) =>
    value !== false || properties[name]?.default !== undefined || (sets && name in sets)
  const isOfCommand = (args: object) =>
    sets === undefined
      ? Object.entries(args).every(canBeTyped)
      : Object.keys(args).every((name) => places.includes(name) || name in sets)
  const lines = tool.examples
    .filter(({ args }) => isOfCommand(args))
    .map(({ args, shows }) => {
      const words = places.flatMap((name) => (name in args ? [quoted(args[name])] : []))
      const named = Object.entries(args).filter(
        ([name]) => !places.includes(name) && !(sets && name in sets),
      )
      const options = named.flatMap(([name, value]) => {
        const flag = `--${flags[name] ?? flagName(name)}`
        if (value === true) return [flag]
        if (value === false)
          return properties[name]?.default === true ? [`--no-${flag.slice(2)}`] : []
        return [flag, ...[value].flat().map(quoted)]
      })
      return `  ${[pathOf(command), ...words, ...options].join(' ')}\n      ${shows}`
    })
  return lines.length > 0 ? `\nExamples:\n${lines.join('\n')}` : ''
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
}

function quoted(value: unknown): string {
  const text = String(value)
  return /^[\w./,:=+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

type Given = Readonly<Record<string, unknown>>

type Lines = readonly string[]

interface PersonCall<T> {
  readonly tool: Tool
  readonly prepare?: (app: App) => Promise<void>
  readonly resolve?: (app: App, args: Given) => Promise<Given>
  readonly named?: Named
  readonly lines: (value: T, app: App) => Lines | Promise<Lines>
  /** The lines hold a text with ends of lines of its own; otherwise each is one row, whatever is in it. */
  readonly isText?: boolean
  readonly isFound?: (value: T) => boolean
  readonly hints?: Readonly<Record<string, string>>
}

/** Runs a tool through the one boundary and prints its answer for a person, or as JSON where that was asked for. */
function callForPerson<T>(
  context: CommandContext,
  command: Command,
  { tool, prepare, resolve, named, lines, isText, isFound, hints = {} }: PersonCall<T>,
  args: Given,
): Promise<void> {
  const { terminal } = context
  const { json, yes } = command.optsWithGlobals<{ json?: boolean; yes?: boolean }>()
  return context.withApp(command, async (app) => {
    const name = finalName(app, tool)
    const words = named && args[named.argument]
    const found =
      named && typeof words === 'string'
        ? { ...args, [named.argument]: await named.find(app, words) }
        : args
    await confirmDestroying(tool, pathOf(command), terminal, yes)
    await prepare?.(app)
    const resolved = resolve ? await resolve(app, found) : found
    const scan = reportScan(() => app.dialogs.index.unread.note)
    const { result, text } = await app.boundary
      .call(name, resolved, app.localCaller)
      .finally(scan.end)
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
    if (typeof note === 'string') terminal.note(commandWords(note))
  })
}

/** A tool's name in this installation. */
function finalName({ tools, noProject }: App, tool: Tool): string {
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
  return texts.map((text) => commandWords(oneLine(String(text)))).join('\n  ')
}

/** Tools are told of tools, people of commands. */
function commandWords(text: string): string {
  return text.replace(TOOL_NAME, (name, bare: string) => {
    const command = COMMANDS.get(bare)
    return command ? `\`secretary ${command}\`` : name
  })
}

const TOOL_NAME =
  /`?\b(grep_codebase|read_file|context_search|list_tasks|list_requests|search_requests|get_request|list_dialogs)\b`?/g
const COMMANDS = new Map([
  ['grep_codebase', 'grep'],
  ['read_file', 'read'],
  ['context_search', 'search'],
  ['list_tasks', 'tasks'],
  ['list_requests', 'dialogs show'],
  ['search_requests', 'dialogs search'],
  ['get_request', 'dialogs export'],
  ['list_dialogs', 'dialogs list'],
])

/** `filePattern` and `task_id` as people type them: `file-pattern`, `task-id`. */
function flagName(argument: string): string {
  return argument.replaceAll('_', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** The flag of one argument. The tool's own check says what is wrong with a value. */
function toolOption(flag: string, schema: JsonSchema): Option {
  const { type, description = '', default: fallback } = schema
  const known = fallback === undefined || fallback === false ? '' : ` (default: ${fallback})`
  const text = `${plainWords(String(description))}${known}`
  if (type === 'boolean') return new Option(fallback === true ? `--no-${flag}` : `--${flag}`, text)
  if (type === 'integer' || type === 'number')
    return new Option(`--${flag} <number>`, text).argParser(numberOr)
  if (type === 'array') return new Option(`--${flag} <text...>`, text)
  const values = Array.isArray(schema.enum) ? schema.enum.join('|') : 'text'
  return new Option(`--${flag} <${values}>`, text)
}

/** What is not a number goes on as it is, for the check to name it. */
function numberOr(text: string): number | string {
  return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)
}
