import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { type Client, clients, type Surroundings } from '../clients/clients.ts'
import { serverEntry } from '../clients/server-entry.ts'
import { type RegisterCommand, UsageError } from '../command-context.ts'
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
      const chosen = options.client ? options.client.map(requireClient) : clients.filter((client) => client.isInstalled(around))
      if (chosen.length === 0)
        return context.terminal.print(
          `No known agent was found. Name one with --client: ${clients.map(({ id }) => id).join(', ')}`,
        )
      for (const client of chosen) await offer(client, around, options.yes ?? false, context.terminal)
    })
}

async function offer(client: Client, around: Surroundings, yes: boolean, terminal: Terminal): Promise<void> {
  const file = client.file(around)
  const before = readIfThere(file)
  let after: string | undefined
  try {
    after = client.merge(before, serverEntry(client.file(around).startsWith(around.project) ? around.project : undefined))
  } catch {
    terminal.print(
      `${client.label}: ${file} is not plain JSON, so it stays as it is. Add by hand:\n${JSON.stringify({ secretary: serverEntry() }, null, 2)}`,
    )
    return
  }
  if (after === undefined)
    return terminal.print(`${client.label}: ${file} has an entry for Secretary already; nothing was changed`)
  terminal.print(`${client.label}: ${file} would be\n${after}`)
  if (!yes && !(await agreed(terminal))) return terminal.print('Nothing was written. `secretary init --yes` writes it.')
  writeWhole(file, after)
  terminal.print(`Written: ${file}`)
}

async function agreed(terminal: Terminal): Promise<boolean> {
  if (!terminal.interactive) return false
  const questions = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await questions.question('Write it? [y/N] ')
  questions.close()
  return /^y(es)?$/i.test(answer.trim())
}

function requireClient(id: string): Client {
  const client = clients.find((candidate) => candidate.id === id)
  if (!client) throw new UsageError(`No client ${id}; there are ${clients.map((known) => known.id).join(', ')}`)
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

/** Whole or not at all: a torn configuration would lock the person out of their own agent. */
function writeWhole(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}.tmp`
  writeFileSync(draft, text)
  renameSync(draft, file)
}
