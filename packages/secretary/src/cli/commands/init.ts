import { placesOf } from '@secretary-mcp/transcripts/places.ts'
import { packageName } from '../../version.ts'
import { type Client, isInstalled, type Surroundings } from '../clients/client.ts'
import { clients } from '../clients/clients.ts'
import { editsFor, type PlannedEdit } from '../clients/planned-edit.ts'
import { COMMAND, isOnPath, sharedCommand } from '../clients/server-entry.ts'
import { weighEdit } from '../clients/weigh-edit.ts'
import { readRecord, type Written, writeRecord } from '../clients/written-record.ts'
import { type RegisterCommand, UsageError } from '../command-context.ts'
import { openQuestions } from '../questions.ts'
import type { Terminal } from '../terminal.ts'
import { undoInit } from '../undo-init.ts'

interface Options {
  readonly client?: string[]
  readonly yes?: boolean
  readonly undo?: boolean
}

const known = clients.map(({ id }) => id).join(', ')

export const registerInit: RegisterCommand = (program, context) => {
  program
    .command('init')
    .description('add Secretary to the agents on this machine, after showing what would be written')
    .option('--client <ids...>', `only these: ${known}`)
    .option('--yes', 'write without asking')
    .option('--undo', 'take back what init wrote, and nothing else')
    .action(async (options: Options, command) => {
      const { terminal } = context
      const { config } = context.settings(command)
      const around: Surroundings = {
        ...placesOf(config),
        project: config.project,
        hasEditNotes: config.editNotes === 'on',
      }
      if (options.undo) return undoInit(config.home, options.client, terminal)
      const chosen = options.client
        ? options.client.map(requireClient)
        : clients.filter((client) => isInstalled(client, around))
      if (chosen.length === 0)
        return terminal.print(`No known agent was found. Name one with --client: ${known}`)
      const outcomes: Outcome[] = []
      for (const edit of chosen.flatMap((client) => editsFor(client, around)))
        outcomes.push(await offer(edit, options.yes ?? false, terminal))
      const written = outcomes.filter((outcome): outcome is Written => typeof outcome === 'object')
      if (written.length > 0) writeRecord(config.home, [...readRecord(config.home), ...written])
      else if (outcomes.includes('declined'))
        terminal.print('Nothing was written. `secretary init --yes` writes all of it.')
      sayWhatIsLeft(chosen, written, terminal)
      // Not connected, whatever the file's names say.
      if (outcomes.includes('foreign')) process.exitCode = 1
    })
}

/** What was written, or why nothing was. */
type Outcome = Written | 'declined' | 'unchanged' | 'foreign'

function sayWhatIsLeft(
  chosen: readonly Client[],
  written: readonly Written[],
  terminal: Terminal,
): void {
  for (const note of chosen.flatMap(({ notes = [] }) => notes)) terminal.print(note)
  if (written.length > 0) terminal.print('`secretary init --undo` takes it back.')
  if (chosen.some(({ isPerProject }) => isPerProject) && !isOnPath()) terminal.note(howItStarts())
}

function howItStarts(): string {
  const [program] = sharedCommand()
  const install = `\`npm install -g ${packageName}\``
  return program === COMMAND
    ? `The files of the project name the command \`${COMMAND}\`, so that they work on every machine, but it is not on your PATH: ${install} puts it there.`
    : `The files of the project start Secretary with \`npx\`, so that they work on every machine. ${install} before \`secretary init\` makes it start faster.`
}

async function offer(edit: PlannedEdit, yes: boolean, terminal: Terminal): Promise<Outcome> {
  const { label, file, addition } = edit
  const weighed = weighEdit(edit)
  if (weighed.state === 'by-hand') {
    terminal.print(`${label}: ${weighed.reason} Add by hand:\n${addition}`)
    return 'unchanged'
  }
  if (weighed.state === 'foreign') {
    terminal.print(
      `${label}: ${file} has an entry for Secretary that Secretary did not write:\n${weighed.found}\nNothing was changed. If you did not write it, remove it; this belongs there:\n${addition}`,
    )
    return 'foreign'
  }
  if (weighed.state === 'there') {
    terminal.print(`${label}: ${file} has an entry for Secretary already; nothing was changed`)
    return 'unchanged'
  }
  terminal.print(`${label}: ${file} would change\n${weighed.change}`)
  if (!yes && !(await agreed(terminal))) return 'declined'
  const written = weighed.write()
  terminal.print(`Written: ${file}`)
  return written
}

async function agreed(terminal: Terminal): Promise<boolean> {
  if (!terminal.interactive) return false
  const questions = openQuestions()
  const isAgreed = await questions.isAgreed('Write it? [y/N] ')
  questions.close()
  return isAgreed
}

function requireClient(id: string): Client {
  const client = clients.find((candidate) => candidate.id === id)
  if (!client) throw new UsageError(`No client ${id}; there are ${known}`)
  return client
}
