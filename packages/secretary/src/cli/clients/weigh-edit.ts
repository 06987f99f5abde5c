import { readRegular } from '@secretary-mcp/core/files/read-regular.ts'
import { quoteBlock } from '@secretary-mcp/core/quote.ts'
import type { Client, Surroundings } from './client.ts'
import { editsFor, type PlannedEdit } from './planned-edit.ts'
import { LinkedFile, requireNoLink, writeWhole } from './write-whole.ts'
import { changeOf, type Written } from './written-record.ts'

const MAX_SHOWN = 2_000

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

const CONTEXT = 3

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

/** Some agents keep their history in the same file. */
const LARGEST = 64 << 20

/** Of an agent. A project may have put anything in its place: what is no ordinary file is not extended. */
export function readConfiguration(file: string): string {
  const text = readRegular(file, LARGEST)
  if (text === undefined) throw new SyntaxError('it is not an ordinary file')
  return text
}
