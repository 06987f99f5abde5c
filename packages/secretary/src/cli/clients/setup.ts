import { Failure } from '@secretary-mcp/core/failure.ts'
import { placesOf } from '@secretary-mcp/transcripts/places.ts'
import type { App } from '../../app/app.ts'
import type { Setup } from '../../serve/api/setup-routes.ts'
import { type Client, isInstalled, type Surroundings } from './client.ts'
import { clients } from './clients.ts'
import { editsFor, foreignInProject, weighEdit } from './planned-edit.ts'
import { serverEntry } from './server-entry.ts'
import { readRecord, writeRecord } from './written-record.ts'

/** What `secretary init` does, one agent at a time, for the page. */
export function createSetup({ config }: App): Setup {
  const around: Surroundings = {
    ...placesOf(config),
    project: config.project,
    hasEditNotes: config.editNotes === 'on',
    watchesRules: config.watchRules === 'on',
  }
  const stateOf = (client: Client) => {
    const isFound = isInstalled(client, around)
    const states = isFound ? editsOf(client, around).map(({ state }) => state) : []
    return {
      id: client.id,
      label: client.label,
      isFound,
      looked: client.traces(around),
      hasForeignEntry: states.includes('foreign') || foreignInProject(client, around).length > 0,
      hasEntry: isFound && states.every((state) => state === 'there'),
    }
  }
  return {
    snippet: () =>
      JSON.stringify(
        { mcpServers: { secretary: serverEntry({ project: config.project }) } },
        null,
        2,
      ),
    agents: () => clients.map(stateOf),
    edits: (id) => editsOf(requireClient(id), around).map(shown),
    write(id) {
      const client = requireClient(id)
      const written = editsOf(client, around).flatMap((edit) =>
        edit.state === 'new' ? [edit.write()] : [],
      )
      if (written.length > 0) writeRecord(config.home, [...readRecord(config.home), ...written])
      return { files: written.map(({ file }) => file), notes: [...(client.notes ?? [])] }
    },
  }
}

function editsOf(client: Client, around: Surroundings) {
  return editsFor(client, around).map((edit) => {
    const { label, file, addition } = edit
    return { label, file, addition, ...weighEdit(edit) }
  })
}

function shown(edit: ReturnType<typeof editsOf>[number]) {
  if (edit.state !== 'new') return edit
  const { write: _, ...rest } = edit
  return rest
}

function requireClient(id: string): Client {
  const client = clients.find((candidate) => candidate.id === id)
  if (!client) throw new Failure('not_found', 'Secretary does not know this agent')
  return client
}
