import { rmSync } from 'node:fs'
import { placesOf } from '@secretary-mcp/transcripts/places.ts'
import { packageName } from '../../version.ts'
import { type Client, isInstalled, type Surroundings } from '../clients/client.ts'
import { clients } from '../clients/clients.ts'
import { editHooks } from '../clients/edit-hooks.ts'
import { startsUs } from '../clients/our-entry.ts'
import { editsFor, entryWanted, type PlannedEdit } from '../clients/planned-edit.ts'
import { readConfiguration } from '../clients/read-configuration.ts'
import { type AgentHook, recallHooks, withoutHook } from '../clients/recall-hooks.ts'
import { withoutPlugin } from '../clients/recall-plugins.ts'
import { COMMAND, isOnPath, sharedCommand } from '../clients/server-entry.ts'
import { weighEdit } from '../clients/weigh-edit.ts'
import { readJson } from '../clients/with-json-value.ts'
import { LinkedFile, requireNoLink, writeWhole } from '../clients/write-whole.ts'
import {
  isUnchanged,
  readRecord,
  takenBack,
  type Written,
  writeRecord,
} from '../clients/written-record.ts'
import { type RegisterCommand, UsageError } from '../command-context.ts'
import { openQuestions } from '../questions.ts'
import type { Terminal } from '../terminal.ts'

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

/** Takes back what `init` wrote, the last first: to the byte where a file is as it was left, else our part alone. */
function undoInit(home: string, only: readonly string[] | undefined, terminal: Terminal): void {
  const written = readRecord(home)
  const chosen = written.filter(({ client }) => only?.includes(client) ?? true)
  if (chosen.length === 0) terminal.print('There is nothing to take back.')
  const left = chosen.toReversed().filter((one) => !isTakenBack(one, terminal))
  writeRecord(
    home,
    written.filter((one) => !chosen.includes(one) || left.includes(one)),
  )
}

function isTakenBack(one: Written, terminal: Terminal): boolean {
  const { file, below, wasMade } = one
  try {
    requireNoLink(file, below)
    const text = readConfiguration(file)
    const before = withoutWritten(text, one)
    if (before === undefined) terminal.print(`${file} no longer has what \`secretary init\` wrote`)
    else if (wasMade && before.trim() === '') {
      rmSync(file)
      terminal.print(`Removed: ${file}`)
    } else {
      writeWhole(file, below, before)
      terminal.print(`Taken back: ${file}`)
    }
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true
    if (!(error instanceof LinkedFile || error instanceof SyntaxError)) throw error
    terminal.print(
      `${file} cannot be changed safely (${error.message}). Remove by hand:\n${one.came}`,
    )
    return false
  }
}

/** To the byte if nobody changed the file since; else our part alone, found by what it says, or by the very text that we wrote. */
function withoutWritten(text: string, one: Written): string | undefined {
  if (isUnchanged(text, one)) return takenBack(text, one)
  return withoutOurs(text, one) ?? withoutText(text, one)
}

function withoutOurs(text: string, { client: id, part, came, below }: Written): string | undefined {
  if (part === 'hook') return withoutHook(text, hooksWritten(id, came))
  if (part === 'plugin') return withoutPlugin(text)
  const client = clients.find((one) => one.id === id)
  if (part === 'patience' || !client) return client?.patience?.without(text)
  // One that starts something else is somebody else's, whatever its name is.
  const isOurs = client.form
    .found(text)
    .every((entry) => startsUs(entry, entryWanted(client, below)))
  return isOurs ? client.form.without(text) : undefined
}

function hooksWritten(client: string, came: string): AgentHook[] {
  const makers = [
    { word: 'recall', make: recallHooks[client] },
    { word: 'edit-notes', make: editHooks[client] },
  ]
  return makers.flatMap(({ word, make }) =>
    make && came.includes(word) ? [make(sharedCommand())] : [],
  )
}

/** Undefined where the file would not be understood afterwards. */
function withoutText(text: string, one: Written): string | undefined {
  const before = takenBack(text, one)
  const client = clients.find(({ id }) => id === one.client)
  try {
    if (before !== undefined && one.part === 'hook') readJson(before)
    if (before !== undefined && one.part === 'server') client?.form.found(before)
    return before
  } catch {
    return undefined
  }
}
