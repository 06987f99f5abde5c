import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Failure } from '@secretary-mcp/core/failure.ts'
import type { Command } from 'commander'
import type { Counts } from '../../sync/carriers.ts'
import type { Round } from '../../sync/round.ts'
import type { Place } from '../../sync/sync.ts'
import { type CommandContext, type RegisterCommand, UsageError } from '../command-context.ts'
import { openQuestions } from '../questions.ts'

interface InitOptions {
  readonly folder?: string
  readonly git?: string
  readonly database?: boolean
  readonly key?: string
}

/** A person's own machines; a team shares through spaces. */
export const registerSync: RegisterCommand = (program, context) => {
  const { terminal } = context
  const sync = program
    .command('sync')
    .description('move your dialogs, discoveries and tasks between your machines')
    .option('--dry-run', 'only say what would leave this machine')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  secretary sync init --folder ~/Dropbox/secretary           on the first machine: prints a key\n  secretary sync init --folder ~/Dropbox/secretary --key -   on the others: asks for it\n  secretary sync                                             one round: send and receive',
    )
    .action((_options: object, command: Command) => runRound(context, command))
  sync
    .command('init')
    .description('set up this machine')
    .option('--folder <dir>', 'a folder that reaches the other machines')
    .option('--git <url>', 'a git remote')
    .option('--database', 'the team’s database (SECRETARY_DATABASE_URL)')
    .option('--key <key>', 'the key that the first machine printed; `-` asks for it')
    .option('--json', 'as JSON')
    .action((_options: object, command: Command) => init(context, command))
  sync
    .command('status')
    .description('show where this machine syncs, and what waits to be sent')
    .option('--json', 'as JSON')
    .action((_options: object, command: Command) =>
      context.withApp(command, async (app) => {
        const status = await app.withSync((one) => one.status())
        if (isJson(command)) return terminal.print(JSON.stringify(status))
        const { place, machine, isEncrypted, others, waiting } = status
        terminal.print(`Through ${place}${isEncrypted ? ', encrypted' : ''}, as ${machine}`)
        terminal.print(`Heard from ${counted(others.length, 'other machine')}`)
        terminal.print(`Waiting to be sent: ${listed(waiting)}`)
      }),
    )
  sync
    .command('leave')
    .description('stop syncing this machine; what came stays, and so does what it sent')
    .option('--remove', 'remove what it sent from the folder, the remote or the database')
    .action(({ remove }: { remove?: boolean }, command: Command) =>
      context.withApp(command, async (app) => {
        await app.withSync((one) => one.leave({ isRemoved: remove === true }))
        terminal.print('This machine no longer syncs.')
      }),
    )
}

async function init({ terminal, withApp }: CommandContext, command: Command): Promise<void> {
  const options = command.optsWithGlobals<InitOptions>()
  await withApp(command, async (app) => {
    const place = placeOf(options, app.config.databaseUrl !== undefined)
    const setUp = (key?: string) => app.withSync((one) => one.init(place, key))
    const given = options.key === '-' ? await typedKey() : options.key
    const { machine, newKey } = await setUp(given).catch(async (error: unknown) => {
      const isAsked = error instanceof Failure && error.errorType === 'key_needed'
      if (!isAsked || !terminal.interactive) throw error
      return setUp(await typedKey())
    })
    if (isJson(command))
      return terminal.print(JSON.stringify({ machine, ...(newKey ? { key: newKey } : {}) }))
    terminal.print('This machine is set up. `secretary sync` sends and receives.')
    if (!newKey) return
    terminal.print(
      `\nThe key, for \`secretary sync init\` on your other machines:\n\n  ${newKey}\n`,
    )
    terminal.print('Whoever has it can read what you sync. It is stored in SECRETARY_HOME.')
  })
}

/** Unlike an argument it is not seen in the list of processes, nor in the shell's history. */
async function typedKey(): Promise<string> {
  const questions = openQuestions()
  try {
    return (await questions.ask('Key of the first machine: ')) ?? ''
  } finally {
    questions.close()
  }
}

async function runRound({ terminal, withApp }: CommandContext, command: Command): Promise<void> {
  const { dryRun } = command.optsWithGlobals<{ dryRun?: boolean }>()
  await withApp(command, async (app) => {
    if (dryRun) {
      const waiting = await app.withSync((one) => one.wouldSend())
      return terminal.print(
        isJson(command) ? JSON.stringify({ waiting }) : `Would send ${listed(waiting)}`,
      )
    }
    const round = await app.withSync((one) => one.round())
    if (isJson(command)) terminal.print(JSON.stringify(round))
    else for (const line of linesOf(round)) terminal.print(line)
    for (const problem of round.received.problems) terminal.note(problem)
    if (round.received.problems.length > 0) process.exitCode = 1
  })
}

function linesOf({ sent, received }: Round): string[] {
  const { skipped, incomplete } = received
  return [
    `Sent ${listed(sent)}`,
    `Received ${listed(received)}`,
    ...(skipped > 0
      ? [`Skipped ${counted(skipped, 'dialog')}: here already, forgotten or too old`]
      : []),
    ...incomplete.map((machine) => `Not all of ${machine} has arrived yet; the next round goes on`),
  ]
}

function listed({ dialogs, tasks, discoveries, forgotten }: Counts): string {
  const parts = [
    ...(dialogs > 0 ? [counted(dialogs, 'dialog')] : []),
    ...(tasks > 0 ? [counted(tasks, 'task')] : []),
    ...(discoveries > 0 ? [counted(discoveries, 'discovery', 'discoveries')] : []),
    ...(forgotten > 0 ? [`${forgotten} forgotten or deleted`] : []),
  ]
  return parts.length === 0 ? 'nothing' : parts.join(', ')
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

function placeOf({ folder, git, database }: InitOptions, isShared: boolean): Place {
  const named = [folder, git, database].filter((given) => given !== undefined)
  if (named.length !== 1) throw new UsageError('Name one of --folder DIR, --git URL or --database')
  if (folder !== undefined) return { kind: 'folder', folder: resolve(folder) }
  if (git !== undefined) {
    if (git.startsWith('-')) throw new UsageError('--git must be the address of a remote')
    // Git runs in a folder of its own, where a path from here leads elsewhere.
    return { kind: 'git', url: existsSync(git) ? resolve(git) : git }
  }
  if (!isShared) throw new UsageError('--database needs SECRETARY_DATABASE_URL')
  return { kind: 'database' }
}

function isJson(command: Command): boolean {
  return command.optsWithGlobals<{ json?: boolean }>().json === true
}
