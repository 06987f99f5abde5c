import type { Command } from 'commander'
import type { CheckedDiscovery } from '../../context/discoveries/discoveries.ts'
import { DISCOVERY_TYPES, type DiscoveryType } from '../../context/discoveries/discovery.ts'
import { recordDiscovery } from '../../context/tools/record-discovery.ts'
import { type RegisterCommand, UsageError } from '../command-context.ts'
import { toolCommand } from '../tool-command.ts'

interface Options {
  readonly type?: string
  readonly module?: string
  readonly limit?: number
  readonly all?: boolean
  readonly json?: boolean
}

const MOST = 1000

export const registerDiscoveries: RegisterCommand = (program, context) => {
  const { terminal } = context
  const discoveries = program
    .command('discoveries')
    .description('discoveries about this project, newest first')
    .option('--type <type>', DISCOVERY_TYPES.join(', '))
    .option('--module <name>', 'only this module')
    .option('--limit <n>', 'maximum number to show', Number, 20)
    .option('--all', 'include archived ones')
    .option('--json', 'as JSON')
    .action(({ type, module, limit = 20, all, json }: Options, command: Command) =>
      context.withApp(command, async (app) => {
        if (!(limit >= 1 && limit <= MOST))
          throw new UsageError(`--limit takes a number from 1 to ${MOST}`)
        const filter = { type: typeOf(type), module, limit: Math.trunc(limit), withArchived: all }
        const found = await app.context.discoveries(app.localCaller, filter)
        if (json) return terminal.print(JSON.stringify(found))
        if (found.discoveries.length === 0)
          return terminal.print('None yet. `secretary discoveries add TYPE TEXT` records one.')
        for (const discovery of found.discoveries) terminal.print(lineOf(discovery))
        const more = found.total - found.discoveries.length
        if (more > 0) terminal.print(`… and ${more} more: --limit ${Math.min(found.total, MOST)}`)
      }),
    )

  toolCommand<{ message: string; id: string }>(discoveries, context, {
    name: 'add',
    tool: recordDiscovery,
    positional: ['type', 'content...'],
    lines: ({ message, id }) => [`${message}: ${id}`],
  })
}

function typeOf(type: string | undefined): DiscoveryType | undefined {
  const known = DISCOVERY_TYPES.find((candidate) => candidate === type)
  if (type !== undefined && !known)
    throw new UsageError(`--type takes one of ${DISCOVERY_TYPES.join(', ')}`)
  return known
}

function lineOf(discovery: CheckedDiscovery): string {
  const { type, content, module, date, changedFiles, newer, archived } = discovery
  const marks = [
    ...(archived ? ['archived'] : []),
    ...(newer ? [`superseded by ${newer}`] : []),
    ...(changedFiles.length > 0 ? [`needs recheck: ${changedFiles.join(', ')} changed since`] : []),
  ]
  return `${date.slice(0, 10)} ${type}${module ? ` (${module})` : ''}: ${content}${marks.length > 0 ? `  [${marks.join('; ')}]` : ''}`
}
