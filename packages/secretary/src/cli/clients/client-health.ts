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
  const looked = client.traces(around).join(', ')
  if (!isInstalled(client, around))
    return { state: 'ok', detail: `not on this machine (looked for ${looked})` }
  const file = client.file(around)
  const add = `\`secretary init --client ${client.id}\` would add an entry to ${file}, after showing it.`
  try {
    const text = readConfiguration(file)
    const [foreign] = foreignEntries(text, client, around.project)
    if (foreign !== undefined)
      return {
        state: 'warning',
        detail: `found; ${file} has an entry named secretary that Secretary did not write: ${quoteLine(JSON.stringify(foreign) ?? '').slice(0, MAX_SHOWN)}`,
        fix: `If you did not write it, remove it. \`secretary init --client ${client.id}\` shows what belongs there.`,
      }
    if (client.form.found(text).length > 0)
      return { state: 'ok', detail: `found; ${file} has an entry for Secretary` }
    return { state: 'warning', detail: `found; ${file} has no entry for Secretary`, fix: add }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      return { state: 'warning', detail: `found; ${file} does not exist`, fix: add }
    return {
      state: 'warning',
      detail: `found; ${file} cannot be read or parsed`,
      fix: `\`secretary init --client ${client.id}\` shows what to add by hand.`,
    }
  }
}
