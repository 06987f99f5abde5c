import type { Health, HealthCheck } from '../../core/health-check.ts'
import { type Client, isInstalled, type Surroundings } from './client.ts'
import { clients } from './clients.ts'
import { readConfiguration } from './read-configuration.ts'

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
    if (client.form.without(readConfiguration(file)) !== undefined)
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
