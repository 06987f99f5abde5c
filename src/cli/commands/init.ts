import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Client, clients, isInstalled, type Surroundings } from '../clients/clients.ts'
import { recallHooks, withHook } from '../clients/recall-hooks.ts'
import { isOnPath, serverEntry, sharedEntry } from '../clients/server-entry.ts'
import { LinkedFile, requireNoLink, writeWhole } from '../clients/write-whole.ts'
import { type RegisterCommand, UsageError } from '../command-context.ts'
import { openQuestions } from '../questions.ts'
import type { Terminal } from '../terminal.ts'

export const registerInit: RegisterCommand = (program, context) => {
  program
    .command('init')
    .description('add Secretary to the agents on this machine, after showing what would be written')
    .option('--client <ids...>', `only these: ${clients.map(({ id }) => id).join(', ')}`)
    .option('--yes', 'write without asking')
    .action(async (options: { client?: string[]; yes?: boolean }, command) => {
      const { project } = context.settings(command).config
      const around: Surroundings = { homeFolder: homedir(), platform: process.platform, project }
      const chosen = options.client
        ? options.client.map(requireClient)
        : clients.filter((client) => isInstalled(client, around))
      if (chosen.length === 0)
        return context.terminal.print(
          `No known agent was found. Name one with --client: ${clients.map(({ id }) => id).join(', ')}`,
        )
      for (const edit of chosen.flatMap((client) => editsFor(client, around)))
        await offer(edit, options.yes ?? false, context.terminal)
      if (chosen.some(({ isPerProject }) => isPerProject) && !isOnPath())
        context.terminal.note(
          'The files of the project name the command `secretary`, so that they work on every machine, but it is not on your PATH: `npm install -g secretary` puts it there.',
        )
    })
}

/** One change to one file of another program. */
interface Edit {
  readonly label: string
  readonly file: string
  /** The folder that the person chose, and in which the file is. */
  readonly below: string
  /** What a person would add by hand. */
  readonly addition: string
  /** The new text; undefined where there is nothing to add. Throws where the text is not understood. */
  merge(text: string): string | undefined
}

function editsFor(client: Client, around: Surroundings): Edit[] {
  const file = client.file(around)
  const { project, homeFolder } = around
  const entry = client.isPerProject ? sharedEntry(client.projectVariable) : serverEntry()
  const server = {
    label: client.label,
    file,
    below: client.isPerProject ? project : homeFolder,
    addition: client.byHand(entry),
    merge: (text: string) => client.merge(text, entry),
  }
  const hook = recallHooks[client.id]?.()
  if (!hook) return [server]
  const recall = {
    label: `${client.label}, recall after a compaction`,
    file: join(project, hook.file),
    below: project,
    addition: JSON.stringify(hook.content, null, 2),
    merge: (text: string) => withHook(text, hook),
  }
  return [server, recall]
}

async function offer(
  { label, file, below, addition, merge }: Edit,
  yes: boolean,
  terminal: Terminal,
): Promise<void> {
  let after: string | undefined
  try {
    requireNoLink(file, below)
    after = merge(readIfThere(file))
  } catch (error) {
    const why = reasonToLeave(error, file)
    terminal.print(`${label}: ${why} Add by hand:\n${addition}`)
    return
  }
  if (after === undefined)
    return terminal.print(
      `${label}: ${file} has an entry for Secretary already; nothing was changed`,
    )
  terminal.print(`${label}: ${file} would be\n${after}`)
  if (!yes && !(await agreed(terminal)))
    return terminal.print('Nothing was written. `secretary init --yes` writes it.')
  writeWhole(file, below, after)
  terminal.print(`Written: ${file}`)
}

function reasonToLeave(error: unknown, file: string): string {
  if (error instanceof LinkedFile)
    return `${error.path} is a symbolic link, and Secretary does not write through links.`
  if (error instanceof SyntaxError)
    return `${file} was left as it is, because it cannot be extended safely (${error.message}).`
  throw error
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
  if (!client)
    throw new UsageError(
      `No client ${id}; there are ${clients.map((known) => known.id).join(', ')}`,
    )
  return client
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
