import { Failure } from '@secretary-mcp/core/failure.ts'
import { quoteBlock } from '@secretary-mcp/core/quote.ts'
import type { Command } from 'commander'
import type { App } from '../../app/app.ts'
import type { CheckedDiscovery } from '../../context/discoveries/discoveries.ts'
import { DISCOVERY_TYPES, type DiscoveryType } from '../../context/discoveries/discovery.ts'
import { recordDiscovery } from '../../context/tools/record-discovery.ts'
import { type RegisterCommand, UsageError } from '../command-context.ts'
import { idStartingWith, shownIds } from '../dialog-words.ts'
import { oneLine, type Terminal } from '../terminal.ts'
import { toolCommand } from '../tool-command.ts'
import { readDialogs } from './search.ts'

interface Options {
  readonly type?: string
  readonly module?: string
  readonly limit?: number
  readonly all?: boolean
  readonly suggested?: boolean
  readonly json?: boolean
}

const MAX = 1000
const JUDGEMENTS = [
  ['confirm', 'confirmed', 'Confirmed'],
  ['dismiss', 'dismissed', 'Dismissed'],
] as const

export const registerDiscoveries: RegisterCommand = (program, context) => {
  const { terminal } = context
  const discoveries = program
    .command('discoveries')
    .description('list discoveries about this project, newest first')
    .option('--type <type>', DISCOVERY_TYPES.join(', '))
    .option('--module <name>', 'only this module')
    .option('--limit <n>', 'maximum number to show', Number, 20)
    .option('--all', 'include archived ones')
    .option('--suggested', 'what you stated in dialogs, for you to confirm or dismiss')
    .option('--json', 'as JSON')
    .action(({ type, module, limit = 20, all, suggested, json }: Options, command: Command) =>
      context.withApp(command, async (app) => {
        if (!(limit >= 1 && limit <= MAX))
          throw new UsageError(`--limit takes a number from 1 to ${MAX}`)
        const filter = {
          type: typeOf(type),
          module,
          limit: Math.trunc(limit),
          withArchived: all,
          state: suggested ? ('suggested' as const) : ('accepted' as const),
        }
        if (suggested) await readDialogs(app)
        const found = await app.context.discoveries(app.localCaller, filter)
        if (json) return terminal.print(JSON.stringify(found))
        if (found.discoveries.length === 0)
          return terminal.print(
            suggested
              ? 'No suggestions.'
              : 'None yet. `secretary discoveries add TYPE TEXT` records one.',
          )
        const shownId = shownIds(
          terminal,
          found.discoveries.map(({ id }) => id),
        )
        terminal.list(found.discoveries.map((one) => lineOf(one, terminal, shownId)))
        const more = found.total - found.discoveries.length
        if (more > 0) terminal.print(`… and ${more} more: --limit ${Math.min(found.total, MAX)}`)
        if (suggested)
          terminal.note(
            '`secretary discoveries confirm ID` keeps one, `secretary discoveries dismiss ID` drops it for good.',
          )
      }),
    )

  discoveries
    .command('show <id>')
    .description('show one discovery in full; the beginning of its id is enough')
    .action((given: string, _options: object, command: Command) =>
      context.withApp(command, async (app) => {
        const filter = { limit: MAX, withArchived: true }
        const known = [
          ...(await app.context.discoveries(app.localCaller, filter)).discoveries,
          ...(await suggestionsOf(app)),
        ]
        const id = idStartingWith(
          known.map((one) => one.id),
          given,
        )
        const found = known.find((one) => one.id === id)
        if (!found)
          throw new Failure(
            'not_found',
            `Discovery not found: ${given}\n  \`secretary discoveries --all\` lists them`,
          )
        if (command.optsWithGlobals<Options>().json) return terminal.print(JSON.stringify(found))
        for (const line of wholeLines(found)) terminal.print(line)
      }),
    )

  for (const [name, verdict, done] of JUDGEMENTS)
    discoveries
      .command(`${name} <id...>`)
      .description(
        verdict === 'confirmed'
          ? 'keep suggestions as discoveries; the beginning of an id is enough'
          : 'drop suggestions for good; the beginning of an id is enough',
      )
      .action((given: string[], _options: object, command: Command) =>
        context.withApp(command, async (app) => {
          for (const beginning of given) {
            const known = (await suggestionsOf(app)).map((one) => one.id)
            const id = idStartingWith(known, beginning)
            const judged = await app.context.judge(app.localCaller, id, verdict)
            if (!judged)
              throw new Failure(
                'not_found',
                `Suggestion not found: ${beginning}\n  \`secretary discoveries --suggested\` lists them`,
              )
            terminal.print(oneLine(`${done}: ${judged.content}`))
          }
        }),
      )

  toolCommand<{ message: string; id: string }>(discoveries, context, {
    name: 'add',
    tool: recordDiscovery,
    positional: ['type', 'content...'],
    lines: ({ message, id }) => [`${message}: ${id}`],
  })
}

async function suggestionsOf({ context, localCaller }: App): Promise<CheckedDiscovery[]> {
  const filter = { state: 'suggested', limit: MAX } as const
  return (await context.discoveries(localCaller, filter)).discoveries
}

function typeOf(type: string | undefined): DiscoveryType | undefined {
  const known = DISCOVERY_TYPES.find((candidate) => candidate === type)
  if (type !== undefined && !known)
    throw new UsageError(`--type takes one of ${DISCOVERY_TYPES.join(', ')}`)
  return known
}

function lineOf(
  discovery: CheckedDiscovery,
  { style }: Terminal,
  shownId: (id: string) => string,
): string {
  const { id, type, content, module, date } = discovery
  const marks = marksOf(discovery, shownId)
  const doubts = marks.length > 0 ? `${style('yellow', `[${marks.join('; ')}]`)} ` : ''
  return `${style('dim', date.slice(0, 10))} ${style('cyan', shownId(id))} ${type}${module ? ` (${module})` : ''}: ${doubts}${content}`
}

function marksOf(
  { archived, newer, changedFiles, space, by }: CheckedDiscovery,
  shownId: (id: string) => string,
): string[] {
  return [
    ...(space ? [`${by ?? 'somebody'} in ${space}`] : []),
    ...(archived ? ['archived'] : []),
    ...(newer ? [`superseded by ${shownId(newer)}`] : []),
    ...(changedFiles.length > 0 ? [`needs recheck: ${changedFiles.join(', ')} changed since`] : []),
  ]
}

/** One discovery with all that is known of it. */
function wholeLines(discovery: CheckedDiscovery): string[] {
  const { id, type, content, module, date, session, files } = discovery
  const isSuggested = discovery.origin === 'dialog' && discovery.verdict === undefined
  const marks = [
    ...(isSuggested ? ['a suggestion: nobody has confirmed it'] : []),
    ...marksOf(discovery, (other) => other),
  ]
  return [
    oneLine(`${type}${module ? ` (${module})` : ''}, ${date.slice(0, 10)}`),
    '',
    ...(discovery.space === undefined ? [content] : quoteBlock(content).split('\n')),
    '',
    `id       ${id}`,
    ...(session ? [`session  ${session}`] : []),
    ...files.map(({ path }) => oneLine(`file     ${path}`)),
    ...marks.map((mark) => oneLine(`note     ${mark}`)),
  ]
}
