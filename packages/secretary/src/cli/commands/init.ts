import { rmSync } from 'node:fs'
import { placesOf } from '@secretary-mcp/transcripts/places.ts'
import {
  type AgentHook,
  editHooks,
  recallHooks,
  watchHooks,
  withoutHook,
} from '../clients/agent-hooks.ts'
import { type Client, isInstalled, type Surroundings } from '../clients/client.ts'
import { clients } from '../clients/clients.ts'
import { startsUs } from '../clients/our-entry.ts'
import {
  changeOfFile,
  editsFor,
  entryWanted,
  foreignInProject,
  type PlannedEdit,
  readConfiguration,
  weighEdit,
} from '../clients/planned-edit.ts'
import { withoutPlugin } from '../clients/recall-plugins.ts'
import {
  isRunByNpx,
  isThisOnPath,
  ownCommand,
  SHARED_COMMAND,
  shellLine,
} from '../clients/server-entry.ts'
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
  readonly shared?: boolean
  readonly dryRun?: boolean
}

const known = clients.map(({ id }) => id).join(', ')

export const registerInit: RegisterCommand = (program, context) => {
  program
    .command('init')
    .description('connect the agents on this machine, after showing what would be written')
    .option('--client <ids...>', `only these: ${known}`)
    .option('--dry-run', 'show what would be written and write nothing')
    .option('--yes', 'write without asking')
    .option('--shared', "write into the project's files, which its other developers get too")
    .option('--undo', 'remove what init wrote, and nothing else')
    .action(async (options: Options, command) => {
      const { terminal } = context
      const { config } = context.settings(command)
      const around: Surroundings = {
        ...placesOf(config),
        project: config.project,
        hasEditNotes: config.editNotes === 'on',
        watchesRules: config.watchRules === 'on',
        isShared: options.shared,
      }
      if (options.undo) return undoInit(config.home, options.client, terminal)
      if (isRunByNpx()) throw new UsageError(RUN_BY_NPX)
      if (options.shared && !isThisOnPath()) throw new UsageError(NOT_ON_PATH)
      const chosen = options.client
        ? options.client.map(requireClient)
        : clients.filter((client) => isInstalled(client, around))
      if (chosen.length === 0)
        return terminal.print(`No known agent was found. Name one with --client: ${known}`)
      const outcomes: Outcome[] = []
      const edits = chosen.flatMap((client) => [
        ...(options.shared ? [] : foreignInProject(client, around)),
        ...editsFor(client, around),
      ])
      for (const path of new Set(edits.map(({ file }) => file))) {
        const ofFile = edits.filter(({ file }) => file === path)
        outcomes.push(...(await offer(ofFile, options, terminal)))
      }
      const written = outcomes.filter((outcome): outcome is Written => typeof outcome === 'object')
      if (written.length > 0) writeRecord(config.home, [...readRecord(config.home), ...written])
      else if (outcomes.includes('declined'))
        terminal.print('Nothing was written. Add `--yes` to write all of it.')
      if (!options.dryRun && written.length > 0) {
        const { detectProfiles } = await import('../../guide/project/project.ts')
        printNextSteps(chosen, written, detectProfiles(config.project), terminal)
      }
      // Not connected, whatever the file's names say.
      if (outcomes.includes('foreign')) process.exitCode = 1
    })
}

/** What was written, or why nothing was. */
type Outcome = Written | 'declined' | 'unchanged' | 'foreign'

const NOT_ON_PATH =
  'With --shared, the files name the command `secretary`, and the one on your PATH is not this program, or there is none. Put it there first, or leave out --shared.'

const RUN_BY_NPX =
  'npm deletes this copy of Secretary sooner or later, so no agent may depend on it. Install Secretary first, then run `secretary init`.'

function printNextSteps(
  chosen: readonly Client[],
  written: readonly Written[],
  fitting: readonly string[],
  terminal: Terminal,
): void {
  const connected = chosen.filter(({ id }) => written.some(({ client }) => client === id))
  for (const note of connected.flatMap(({ notes = [] }) => notes)) terminal.print(note)
  const program = shellLine(ownCommand())
  terminal.print(
    `\nNext: start ${connected[0]?.label} in a project and ask: what did I ask last time?\n` +
      `Check the connection: ${program} doctor\nUndo: ${program} init --undo`,
  )
  for (const name of fitting)
    terminal.print(`Starter rules that fit this project: ${program} guide use ${name}`)
}

/** Each file is shown as a whole and asked for once. */
async function offer(
  edits: readonly PlannedEdit[],
  { yes, dryRun }: Options,
  terminal: Terminal,
): Promise<Outcome[]> {
  const settled: Outcome[] = []
  const open: PlannedEdit[] = []
  for (const edit of edits) {
    const outcome = printIfSettled(edit, terminal)
    if (outcome) settled.push(outcome)
    else open.push(edit)
  }
  const [first] = open
  if (!first) return settled
  const names = open.map(({ label }) => label).join('; ')
  terminal.print(`${names}: ${first.file} would change\n${changeOfFile(open)}`)
  if (dryRun || (!yes && !(await agreed(terminal)))) return [...settled, 'declined']
  const written = open.flatMap((edit) => {
    const weighed = weighEdit(edit)
    return weighed.state === 'new' ? [weighed.write()] : []
  })
  terminal.print(`Written: ${first.file}`)
  return [...settled, ...written]
}

/** What there is to say about an edit that needs no question; undefined if it does. */
function printIfSettled(edit: PlannedEdit, terminal: Terminal): Outcome | undefined {
  const { label, file, addition } = edit
  const weighed = weighEdit(edit)
  if (weighed.state === 'by-hand') {
    terminal.print(`${label}: ${weighed.reason} Add by hand:\n${addition}`)
    return 'unchanged'
  }
  if (weighed.state === 'foreign') {
    terminal.print(
      `${label}: ${file} has an entry for Secretary that Secretary did not write:\n${weighed.found}\nIt was left as it is. If you did not write it, remove it; this belongs there:\n${addition}`,
    )
    return 'foreign'
  }
  if (weighed.state === 'new') return undefined
  terminal.print(`${label}: ${file} has it already; nothing was changed`)
  return 'unchanged'
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
    { word: 'rules watch', make: watchHooks[client] },
  ]
  return makers.flatMap(({ word, make }) =>
    make && came.includes(word) ? [make(SHARED_COMMAND)] : [],
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
