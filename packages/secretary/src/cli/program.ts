import { statSync } from 'node:fs'
import { styleText } from 'node:util'
import { ConfigError, fieldNames } from '@secretary-mcp/core/config/config.ts'
import { type Field, fields } from '@secretary-mcp/core/config/fields.ts'
import { Failure } from '@secretary-mcp/core/failure.ts'
import { fullDiskFailure } from '@secretary-mcp/core/files/path-failure.ts'
import { Command, CommanderError, Help } from 'commander'
import { version } from '../version.ts'
import { createCommandContext, type RegisterCommand, UsageError } from './command-context.ts'
import { createTerminal, type Terminal } from './terminal.ts'

/** The settings that a person gives a command; \`secretary config --help\` lists the others. */
const EVERYDAY = /^--(version|no-color|help|home|project|user|database-url)$/

const MORE = `
Every setting is an option too: secretary config --help lists them.

Examples:
  secretary init                        add Secretary to your agents
  secretary open                        see what you asked and what happened to it
  secretary search "where are tokens refreshed"
  secretary call add_task '{"title":"Buy milk"}'

Exit codes:
  0  success
  1  failure; for grep, search and dialogs search also: nothing found
  2  invalid usage`

export async function runCommandLine(argv: readonly string[]): Promise<number> {
  const terminal = createTerminal(argv.includes('--no-color'))
  try {
    const program = await createProgram(terminal, argv)
    await program.parseAsync([...argv])
    return Number(process.exitCode ?? 0)
  } catch (error) {
    return report(error, terminal)
  }
}

async function createProgram(terminal: Terminal, argv: readonly string[]): Promise<Command> {
  const program = new Command('secretary')
    .description(
      'Working memory for AI coding agents: one MCP server, and the same tools on the command line.',
    )
    .version(version)
    .addHelpCommand(helpCommand().helpGroup('Set up:'))
    .option('--no-color', 'plain text')
    .exitOverride()
    .configureHelp({
      showGlobalOptions: false,
      sortSubcommands: false,
      optionDescription: (option) => lowerFirst(new Help().optionDescription(option)),
      argumentDescription: (argument) => lowerFirst(new Help().argumentDescription(argument)),
      subcommandTerm: (command) => new Help().subcommandTerm(command).replace(' [options]', ''),
      visibleOptions: (command) => {
        const options = new Help().visibleOptions(command)
        return command.parent ? options : options.filter(({ long }) => EVERYDAY.test(long ?? ''))
      },
      styleTitle: (title) => styleText('bold', title, { validateStream: false }),
      styleCommandText: (name) => styleText('cyan', name, { validateStream: false }),
      styleSubcommandText: (name) => styleText('cyan', name, { validateStream: false }),
      styleOptionText: (flag) => styleText('cyan', flag, { validateStream: false }),
    })
    .configureOutput({ getOutHasColors: () => terminal.hasColours })
    .showHelpAfterError('(secretary --help lists the commands)')
    .addHelpText('after', MORE)
  for (const name of fieldNames) {
    const field: Field = fields[name]
    if (field.flag)
      program.option(`--${field.flag}${field.isSwitch ? '' : ' <value>'}`, field.describe)
  }
  program.hook('preAction', (_program, command) => requireProject(command))
  const context = createCommandContext(terminal)
  for (const load of wantedCommands(argv)) (await load())(program, context)
  for (const command of program.commands) {
    command.helpGroup(groupOf(command.name()))
    inherit(command)
  }
  return program
}

/** One voice for all help: tools and settings begin with a capital elsewhere. */
function lowerFirst(text: string): string {
  return /^\p{Lu}\p{Ll}/u.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text
}

/** A folder that was mistyped would be answered for as an empty project. A hook must not keep its agent from working. */
function requireProject(command: Command): void {
  const { project, hook } = command.optsWithGlobals<{ project?: unknown; hook?: boolean }>()
  if (typeof project !== 'string' || hook) return
  const folder = fields.project.schema.parse(project)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--project: ${folder} is not a folder`)
}

/** Those that are named; all of them where none is, for the help text, which the version does without. */
function wantedCommands(argv: readonly string[]): (() => Promise<RegisterCommand>)[] {
  if (argv.length === 3 && /^(-V|--version)$/.test(argv[2] ?? '')) return []
  const named = Object.entries(commands).filter(([name]) => argv.includes(name))
  return (named.length > 0 ? named : Object.entries(commands)).map(([, load]) => load)
}

function groupOf(name: string): string {
  const group = Object.entries(commandGroups).find(([, loaders]) => name in loaders)
  return `${group?.[0] ?? 'Other'}:`
}

function helpCommand(): Command {
  return new Command('help').argument('[command]').description('show the help of a command')
}

/** Sub-commands report as the program does. */
function inherit(command: Command): void {
  command.exitOverride()
  // The program's own stands in one of its groups, which a command's help does not have.
  if (command.commands.length > 0) command.addHelpCommand(helpCommand())
  const group = command.commands.length > 0 ? command : command.parent
  if (group?.parent)
    command.showHelpAfterError(`(secretary ${group.name()} --help lists its commands)`)
  for (const child of command.commands) inherit(child)
}

function report(thrown: unknown, terminal: Terminal): number {
  const error = fullDiskFailure(thrown)
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof ConfigError || error instanceof UsageError) {
    terminal.note(error.message)
    return 2
  }
  const { code, message = '' } = error as NodeJS.ErrnoException
  if (UNREACHABLE.has(code ?? '')) {
    terminal.note(`The database or server cannot be reached: ${message || code}`)
    return 1
  }
  terminal.note(
    error instanceof Failure
      ? error.message
      : `Unexpected error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  )
  return 1
}

const UNREACHABLE = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
])

type Loaders = Readonly<Record<string, () => Promise<RegisterCommand>>>

/** In the order of the help text. Each loads only when it is asked for: `secretary mcp` starts without the others. */
const commandGroups: Readonly<Record<string, Loaders>> = {
  'Set up': {
    init: async () => (await import('./commands/init.ts')).registerInit,
    doctor: async () => (await import('./commands/doctor.ts')).registerDoctor,
    config: async () => (await import('./commands/config.ts')).registerConfig,
    hook: async () => (await import('./commands/hook.ts')).registerHook,
  },
  'Work with your agents': {
    dialogs: async () => (await import('./commands/dialogs.ts')).registerDialogs,
    recall: async () => (await import('./commands/recall.ts')).registerRecall,
    pins: async () => (await import('./commands/pins.ts')).registerPins,
    rules: async () => (await import('./commands/rules.ts')).registerRules,
    pr: async () => (await import('./commands/pr.ts')).registerPr,
    ledger: async () => (await import('./commands/ledger.ts')).registerLedger,
    why: async () => (await import('./commands/why.ts')).registerWhy,
    how: async () => (await import('./commands/experience.ts')).registerHow,
    fix: async () => (await import('./commands/experience.ts')).registerFix,
    'edit-notes': async () => (await import('./commands/edit-notes.ts')).registerEditNotes,
    handoff: async () => (await import('./commands/handoff.ts')).registerHandoff,
    resume: async () => (await import('./commands/handoff.ts')).registerResume,
    'same-project': async () => (await import('./commands/same-project.ts')).registerSameProject,
    usage: async () => (await import('./commands/usage.ts')).registerUsage,
    forget: async () => (await import('./commands/forget.ts')).registerForget,
  },
  'Search and read': {
    pack: async () => (await import('./commands/pack.ts')).registerPack,
    search: async () => (await import('./commands/search.ts')).registerSearch,
    grep: async () => (await import('./commands/grep.ts')).registerGrep,
    read: async () => (await import('./commands/read.ts')).registerRead,
    discoveries: async () => (await import('./commands/discoveries.ts')).registerDiscoveries,
    index: async () => (await import('./commands/index-project.ts')).registerIndex,
  },
  'Rules and tasks': {
    guide: async () => (await import('./commands/guide.ts')).registerGuide,
    tasks: async () => (await import('./commands/tasks.ts')).registerTasks,
    chat: async () => (await import('./commands/chat.ts')).registerChat,
  },
  Serve: {
    mcp: async () => (await import('./commands/mcp.ts')).registerMcp,
    serve: async () => (await import('./commands/serve.ts')).registerServe,
    open: async () => (await import('./commands/open.ts')).registerOpen,
  },
  Tools: {
    tools: async () => (await import('./commands/tools.ts')).registerTools,
    call: async () => (await import('./commands/call.ts')).registerCall,
    stats: async () => (await import('./commands/stats.ts')).registerStats,
  },
  'Teams and machines': {
    team: async () => (await import('./commands/team.ts')).registerTeam,
    token: async () => (await import('./commands/token.ts')).registerToken,
    sync: async () => (await import('./commands/sync.ts')).registerSync,
    backup: async () => (await import('./commands/backup.ts')).registerBackup,
    restore: async () => (await import('./commands/backup.ts')).registerRestore,
  },
}

const commands: Loaders = Object.assign({}, ...Object.values(commandGroups))
