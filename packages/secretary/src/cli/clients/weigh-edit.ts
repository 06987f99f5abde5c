import { quoteBlock } from '@secretary-mcp/core/quote.ts'
import type { Client, Surroundings } from './client.ts'
import { editsFor, type PlannedEdit } from './planned-edit.ts'
import { readConfiguration } from './read-configuration.ts'
import { shownChange } from './shown-change.ts'
import { LinkedFile, requireNoLink, writeWhole } from './write-whole.ts'
import { changeOf, type Written } from './written-record.ts'

const MAX_SHOWN = 2_000

/** What a planned edit comes to with the file as it is now. */
export type WeighedEdit =
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
