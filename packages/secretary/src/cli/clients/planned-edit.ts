import { dirname, join } from 'node:path'
import { agentFolders } from '@secretary-mcp/transcripts/places.ts'
import { type AgentHook, editHooks, foreignHooks, recallHooks, withHook } from './agent-hooks.ts'
import { type Client, fileOf, type Surroundings } from './client.ts'
import { type EntryWanted, isOurEntry } from './our-entry.ts'
import { recallPlugins, withPlugin } from './recall-plugins.ts'
import { ownCommand, SHARED_COMMAND, serverEntry, sharedEntry } from './server-entry.ts'
import type { Written } from './written-record.ts'

/** One change to one file of another program. */
export interface PlannedEdit extends Pick<Written, 'file' | 'below' | 'client' | 'part'> {
  readonly label: string
  /** What a person would add by hand. */
  readonly addition: string
  /** The new text; undefined where there is nothing to add. Throws where the text is not understood. */
  merge(text: string): string | undefined
  /** What is there under our name and was not written by us. */
  foreign?(text: string): unknown[]
}

/** What our entry in the file of a client may look like. */
export function entryWanted(client: Client, project: string): EntryWanted {
  const { form, projectVariable } = client
  return { form, projects: projectVariable ? [projectVariable, project] : [project] }
}

/** Entries named `secretary` that start something else, or us with an environment of their own. */
export function foreignEntries(text: string, client: Client, project: string): unknown[] {
  const found = client.form.found(text)
  const wanted = entryWanted(client, project)
  return found.length === 1 && isOurEntry(found[0], wanted) ? [] : found
}

export function editsFor(client: Client, around: Surroundings): PlannedEdit[] {
  const { project, hasEditNotes, isShared = false } = around
  const { id, form, projectVariable, patience } = client
  const isInProject = isShared && client.sharedFile !== undefined
  const label = isInProject ? `${client.label} (this project)` : client.label
  const file = fileOf(client, around)
  const entryFor = { namesServer: client.namesServer, project: projectVariable }
  const entry = (isInProject ? sharedEntry : serverEntry)(entryFor)
  const server: PlannedEdit = {
    client: id,
    part: 'server',
    label,
    file,
    below: isInProject ? project : folderAbove(file, client, around),
    addition: form.byHand(entry),
    merge: (text) => form.with(text, entry),
    foreign: (text) => foreignEntries(text, client, project),
  }
  const patient: PlannedEdit[] = patience
    ? [
        {
          ...server,
          part: 'patience',
          addition: patience.addition,
          merge: (text) => patience.with(text),
          foreign: undefined,
        },
      ]
    : []
  const command = isShared ? SHARED_COMMAND : ownCommand()
  const hooks = [
    { what: RECALL, hook: recallHooks[id]?.(command) },
    { what: 'notes before an edit', hook: hasEditNotes ? editHooks[id]?.(command) : undefined },
  ]
  const plugin = recallPlugins[id]?.(command, hasEditNotes)
  const placeOf = (own: AgentHook['own'], inProject: string) => {
    if (isShared) return { file: join(project, inProject), below: project }
    const path = own(around)
    return { file: path, below: folderAbove(path, client, around) }
  }
  return [
    server,
    ...patient,
    ...hooks.flatMap(({ what, hook }): PlannedEdit[] =>
      hook
        ? [
            {
              client: id,
              part: 'hook',
              label: `${label}, ${what}`,
              ...placeOf(hook.own, hook.file),
              addition: JSON.stringify(hook.content, null, 2),
              merge: (text) => withHook(text, hook),
              foreign: (text) => foreignHooks(text, hook),
            },
          ]
        : [],
    ),
    ...(plugin
      ? [
          {
            client: id,
            part: 'plugin' as const,
            label: `${label}, ${RECALL}`,
            ...placeOf(plugin.own, plugin.file),
            addition: plugin.script,
            merge: (text: string) => withPlugin(text, plugin),
          },
        ]
      : []),
  ]
}

const RECALL = 'recall after a compaction'

/** The home, or the folder that the person moved the agent's files to: no link may lie below it. */
function folderAbove(file: string, client: Client, around: Surroundings): string {
  if (file.startsWith(around.home)) return around.home
  const folders = [...client.traces(around), ...Object.values(agentFolders(around))]
  return folders.find((folder) => file.startsWith(folder)) ?? dirname(file)
}
