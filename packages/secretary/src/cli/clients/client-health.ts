import type { Health, HealthCheck } from '@secretary-mcp/core/health-check.ts'
import { quoteLine } from '@secretary-mcp/core/quote.ts'
import { type Client, isInstalled, type Surroundings } from './client.ts'
import { clients } from './clients.ts'
import { foreignEntries } from './planned-edit.ts'
import { readConfiguration } from './read-configuration.ts'

const MAX_SHOWN = 500

/** For each agent that we know: whether it is here, where that was looked for, and what `secretary init` would do. */
export function clientChecks(around: Surroundings): HealthCheck[] {
  return clients.map((client) => ({
    name: client.label,
    run: async () => clientHealth(client, around),
  }))
}

function clientHealth(client: Client, around: Surroundings): Health {
  if (!isInstalled(client, around)) {
    const looked = client.traces(around).join(', ')
    return { state: 'ok', detail: `not on this machine (looked for ${looked})` }
  }
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
  if (ours) return { state: 'ok', detail: `found; ${ours.file} has an entry for Secretary` }
  const unreadable = found.find(({ state }) => state === 'unreadable')
  if (unreadable)
    return { state: 'warning', detail: `found; ${unreadable.file} cannot be read`, fix: add }
  return { state: 'warning', detail: `found; ${own} has no entry for Secretary`, fix: add }
}

interface EntryFound {
  readonly state: 'none' | 'ours' | 'foreign' | 'unreadable'
  /** As it may be shown: a repository may have written it. */
  readonly entry?: string
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
    return { state: client.form.found(text).length > 0 ? 'ours' : 'none' }
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    return { state: isMissing ? 'none' : 'unreadable' }
  }
}
