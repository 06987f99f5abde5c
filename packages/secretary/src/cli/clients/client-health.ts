import type { Health, HealthCheck } from '@secretary-mcp/core/health-check.ts'
import { quoteLine } from '@secretary-mcp/core/quote.ts'
import { type Client, isInstalled, type Surroundings } from './client.ts'
import { clients } from './clients.ts'
import { foreignEntries } from './planned-edit.ts'
import { proveHook, proveServer } from './prove-entry.ts'
import { readConfiguration } from './read-configuration.ts'
import { ownHookCommand, recallHooks } from './recall-hooks.ts'
import { ownCommand } from './server-entry.ts'

const MAX_SHOWN = 500

/** Whether each agent on this machine can start us, tried out; those that are not here are one line together. */
export function clientChecks(around: Surroundings): HealthCheck[] {
  const here = clients.filter((client) => isInstalled(client, around))
  const absent = clients.filter((client) => !here.includes(client))
  return [
    ...here.map((client) => ({
      name: client.label,
      run: async () => clientHealth(client, around),
    })),
    ...(absent.length > 0
      ? [{ name: 'other agents', run: async () => absentHealth(absent, around) }]
      : []),
  ]
}

function absentHealth(absent: readonly Client[], around: Surroundings): Health {
  return {
    state: 'ok',
    detail: `not on this machine: ${absent.map(({ label }) => label).join(', ')}`,
    places: absent.flatMap((client) => client.traces(around)),
  }
}

async function clientHealth(client: Client, around: Surroundings): Promise<Health> {
  const add = `\`secretary init --client ${client.id}\` shows what to add, and asks.`
  const own = client.file(around)
  const shared = client.sharedFile?.(around.project)
  const found = [own, ...(shared ? [shared] : [])].map((file) => ({
    file,
    ...entryIn(client, file, around.project),
  }))
  const foreign = found.find(({ state }) => state === 'foreign')
  if (foreign)
    return {
      state: 'warning',
      detail: `found; ${foreign.file} has an entry named secretary that Secretary did not write: ${foreign.entry}`,
      fix: `If you did not write it, remove it. \`secretary init --client ${client.id}\` shows what belongs there.`,
    }
  const ours = found.find(({ state }) => state === 'ours')
  if (ours?.command) return provenHealth(client, around, ours.file, ours.command)
  const unreadable = found.find(({ state }) => state === 'unreadable')
  if (unreadable)
    return { state: 'warning', detail: `found; ${unreadable.file} cannot be read`, fix: add }
  return { state: 'warning', detail: `found; ${own} has no entry for Secretary`, fix: add }
}

/** The command was compared with ours before: nothing else is ever run. */
async function provenHealth(
  client: Client,
  around: Surroundings,
  file: string,
  command: readonly string[],
): Promise<Health> {
  const fix = `\`secretary init --undo --client ${client.id}\`, then \`secretary init --client ${client.id}\`, writes it again.`
  const proof = await proveServer(command, around.project)
  if (!proof.works)
    return { state: 'failing', detail: `${file} starts Secretary, but ${proof.reason}`, fix }
  const hook = ownHookOf(client, around)
  const problem = hook && (await proveHook(hook, around.project))
  if (problem) return { state: 'failing', detail: `${file} starts Secretary, but ${problem}`, fix }
  return {
    state: 'ok',
    detail: `connected: ${proof.tools} tools${hook ? '; its hook runs' : ''} (${file})`,
  }
}

/** The command of our hook in the agent's own settings, if it is there. */
function ownHookOf(client: Client, around: Surroundings): string | undefined {
  const hook = recallHooks[client.id]?.(ownCommand())
  if (!hook) return undefined
  try {
    return ownHookCommand(readConfiguration(hook.own(around)))
  } catch {
    return undefined
  }
}

interface EntryFound {
  readonly state: 'none' | 'ours' | 'foreign' | 'unreadable'
  /** As it may be shown: a repository may have written it. */
  readonly entry?: string
  /** What ours starts. */
  readonly command?: readonly string[]
}

/** The words of an entry's command; agents name the program and its arguments in one list or in two. */
function wordsOf(entry: unknown, project: string): string[] {
  const { command, args = [] } = entry as { command: string | string[]; args?: string[] }
  return [command, args].flat().map((word) => word.replace(/^\$\{\w+\}$/, project))
}

function entryIn(client: Client, file: string, project: string): EntryFound {
  try {
    const text = readConfiguration(file)
    const [foreign] = foreignEntries(text, client, project)
    if (foreign !== undefined)
      return {
        state: 'foreign',
        entry: quoteLine(JSON.stringify(foreign) ?? '').slice(0, MAX_SHOWN),
      }
    const [ours] = client.form.found(text)
    return ours === undefined
      ? { state: 'none' }
      : { state: 'ours', command: wordsOf(ours, project) }
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    return { state: isMissing ? 'none' : 'unreadable' }
  }
}
