import { join } from 'node:path'
import type { Client, Surroundings } from './client.ts'
import { editHooks } from './edit-hooks.ts'
import { type EntryWanted, isOurEntry } from './our-entry.ts'
import { type AgentHook, foreignHooks, recallHooks, withHook } from './recall-hooks.ts'
import { type AgentPlugin, recallPlugins, withPlugin } from './recall-plugins.ts'
import { serverEntry, sharedCommand, sharedEntry } from './server-entry.ts'
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
  const { project, hasEditNotes } = around
  const { id, label, form, isPerProject, projectVariable } = client
  const file = client.file(around)
  const entry = isPerProject ? sharedEntry(projectVariable) : serverEntry()
  const server: PlannedEdit = {
    client: id,
    part: 'server',
    label,
    file,
    below: isPerProject ? project : folderOf(client, around),
    addition: form.byHand(entry),
    merge: (text) => form.with(text, entry),
    foreign: (text) => foreignEntries(text, client, project),
  }
  const { patience } = client
  const servers: PlannedEdit[] = [server]
  if (patience)
    servers.push({
      ...server,
      part: 'patience',
      addition: patience.addition,
      merge: (text) => patience.with(text),
      foreign: undefined,
    })
  const plugin = recallPlugins[id]?.(sharedCommand(), hasEditNotes)
  const hooks = [
    { what: RECALL, hook: recallHooks[id]?.(sharedCommand()) },
    {
      what: 'notes before an edit',
      hook: hasEditNotes ? editHooks[id]?.(sharedCommand()) : undefined,
    },
  ]
  return [
    ...servers,
    ...hooks.flatMap(({ what, hook }) =>
      hook ? [hookEdit(client, project, `${label}, ${what}`, hook)] : [],
    ),
    ...(plugin ? [pluginEdit(client, project, plugin)] : []),
  ]
}

const RECALL = 'recall after a compaction'

function pluginEdit({ id, label }: Client, project: string, plugin: AgentPlugin): PlannedEdit {
  return {
    client: id,
    part: 'plugin',
    label: `${label}, ${RECALL}`,
    file: join(project, plugin.file),
    below: project,
    addition: plugin.script,
    merge: (text) => withPlugin(text, plugin),
  }
}

function hookEdit({ id }: Client, project: string, label: string, hook: AgentHook): PlannedEdit {
  return {
    client: id,
    part: 'hook',
    label,
    file: join(project, hook.file),
    below: project,
    addition: JSON.stringify(hook.content, null, 2),
    merge: (text) => withHook(text, hook),
    foreign: (text) => foreignHooks(text, hook),
  }
}

/** The home, or the folder that the person moved the agent's files to. */
function folderOf(client: Client, around: Surroundings): string {
  const file = client.file(around)
  if (file.startsWith(around.home)) return around.home
  return client.traces(around).find((folder) => file.startsWith(folder)) ?? around.home
}
