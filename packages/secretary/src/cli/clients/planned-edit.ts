import { dirname, join } from 'node:path'
import { readRegular } from '@secretary-mcp/core/files/read-inside.ts'
import { quoteBlock } from '@secretary-mcp/core/quote.ts'
import { agentFolders } from '@secretary-mcp/transcripts/places.ts'
import {
  type AgentHook,
  editHooks,
  foreignHooks,
  recallHooks,
  watchHooks,
  withHook,
} from './agent-hooks.ts'
import { type Client, fileOf, type Surroundings } from './client.ts'
import { type EntryWanted, isOurEntry } from './our-entry.ts'
import { recallPlugins, withPlugin } from './recall-plugins.ts'
import { ownCommand, SHARED_COMMAND, serverEntry, sharedEntry } from './server-entry.ts'
import { LinkedFile, requireNoLink, writeWhole } from './write-whole.ts'
import { changeOf, type Written } from './written-record.ts'

const MAX_SHOWN = 2_000
const CONTEXT = 3
/** Some agents keep their history in the same file. */
const MAX_SIZE = 64 << 20

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
  const { project, hasEditNotes, watchesRules, isShared = false } = around
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
    { what: 'watched rules', hook: watchesRules ? watchHooks[id]?.(command) : undefined },
  ]
  const plugin = recallPlugins[id]?.(command, { hasEditNotes, watchesRules })
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

/** What a planned edit comes to with the file as it is now. */
type WeighedEdit =
  | { readonly state: 'there' }
  | { readonly state: 'by-hand'; readonly reason: string }
  /** Something under our name that we did not write. */
  | { readonly state: 'foreign'; readonly found: string }
  | { readonly state: 'new'; readonly change: string; write(): Written }

export function weighEdit({
  label: _,
  addition: __,
  merge,
  foreign,
  ...place
}: PlannedEdit): WeighedEdit {
  const { file, below } = place
  let before: string | undefined
  let after: string | undefined
  try {
    requireNoLink(file, below)
    before = readIfThere(file)
    const others = foreign?.(before ?? '') ?? []
    if (others.length > 0) return { state: 'foreign', found: shownFound(others) }
    after = merge(before ?? '')
  } catch (error) {
    return { state: 'by-hand', reason: reasonToLeave(error, file) }
  }
  if (after === undefined) return { state: 'there' }
  const text = after
  return {
    state: 'new',
    change: shownChange(before ?? '', text),
    write() {
      writeWhole(file, below, text)
      return { ...place, wasMade: before === undefined, ...changeOf(before ?? '', text) }
    },
  }
}

/** What several edits of one file, all of them new, come to. */
export function changeOfFile(edits: readonly PlannedEdit[]): string {
  const before = readIfThere(edits[0]?.file ?? '') ?? ''
  const after = edits.reduce((text, edit) => edit.merge(text) ?? text, before)
  return shownChange(before, after)
}

/** What a project brings under our name that we did not write, whatever the person's own files say. */
export function foreignInProject(client: Client, around: Surroundings): PlannedEdit[] {
  return editsFor(client, { ...around, isShared: true }).filter(
    (edit) => edit.below === around.project && weighEdit(edit).state === 'foreign',
  )
}

/** As it may stand in a terminal: a repository wrote it. */
function shownFound(found: readonly unknown[]): string {
  return found
    .map((one) => quoteBlock((JSON.stringify(one, null, 2) ?? '').slice(0, MAX_SHOWN)))
    .join('\n')
}

function reasonToLeave(error: unknown, file: string): string {
  if (error instanceof LinkedFile)
    return `${error.path} is a symbolic link, and Secretary does not write through links.`
  if (error instanceof SyntaxError)
    return `${file} was left as it is, because it cannot be extended safely (${error.message}).`
  throw error
}

function readIfThere(file: string): string | undefined {
  try {
    return readConfiguration(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** What goes and what comes, with the lines around it. */
function shownChange(before: string, after: string): string {
  const [old, made] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < Math.min(old.length, made.length) && old[start] === made[start]) start++
  let end = 0
  while (
    end < Math.min(old.length, made.length) - start &&
    old[old.length - 1 - end] === made[made.length - 1 - end]
  )
    end++
  return [
    ...made.slice(Math.max(0, start - CONTEXT), start).map((line) => `  ${line}`),
    ...old.slice(start, old.length - end).map((line) => `- ${line}`),
    ...made.slice(start, made.length - end).map((line) => `+ ${line}`),
    ...made
      .slice(made.length - end)
      .slice(0, CONTEXT)
      .map((line) => `  ${line}`),
  ].join('\n')
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/)
}

/** Of an agent. A project may have put anything in its place: what is no ordinary file is not extended. */
export function readConfiguration(file: string): string {
  const text = readRegular(file, MAX_SIZE)
  if (text === undefined) throw new SyntaxError('it is not an ordinary file')
  return text
}
