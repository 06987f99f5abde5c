import { basename } from 'node:path'
import type { Deed } from '../deeds/deed.ts'
import { IN_ANOTHER_FILE } from '../deeds/request-of-deed.ts'
import { type Base, type Mark, type Reading, requestsOf } from '../dialog.ts'
import type { BareTurn, Found, ReadContext, Source, TurnsWanted } from '../source.ts'

const DEEPEST = 20
const UUID = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}'
const NAME = new RegExp(`(${UUID})(?:_(${UUID}))?\\.jsonl$`, 'i')

/**
 * A fork and a rewind open a second file, which goes on from a part of the first. A rewound thread keeps its id, so only its
 * last file is a dialog; the others are read where that one goes on from them.
 */
export function joinedThreads(files: Source): Source {
  return {
    ...files,
    list: async (context) => lastOfEach(await files.list(context)),
    async read(found, known, context) {
      const own = known && { ...known, marks: known.marks.filter(({ path }) => !path) }
      const reading = await files.read(found, own, context)
      if (!reading.base) return reading
      if (known?.base !== undefined && reading.isWhole === false) {
        const before = known.marks.filter(({ path }) => path)
        return { ...reading, marks: [...before, ...reading.marks] }
      }
      const before = await partBefore(files, reading.base, context)
      const deeds = [...elsewhere(before.deeds), ...(reading.deeds ?? [])]
      return { ...reading, marks: [...before.marks, ...reading.marks], deeds }
    },
    turns: (found, reading, context, wanted) => turns(files, found, reading, context, wanted),
  }
}

function lastOfEach(files: readonly Found[]): Found[] {
  const last = new Map<string, Found>()
  for (const file of files) {
    const thread = NAME.exec(file.path)?.[1] ?? file.path
    const other = last.get(thread)
    // A name begins with the time at which its file was opened.
    if (!other || basename(other.path) < basename(file.path)) last.set(thread, file)
  }
  return [...last.values()]
}

interface Part {
  readonly marks: Mark[]
  readonly deeds: Deed[]
}

/** What stands in the other file up to the seam; what follows there is marked, so that no answer is taken from it. */
async function partBefore(
  files: Source,
  { thread, end }: Base,
  context: ReadContext,
  depth = 0,
): Promise<Part> {
  const found = (await files.list(context)).find(({ path }) => {
    const [, id, segment] = NAME.exec(path) ?? []
    return (segment ?? id) === thread
  })
  if (!found || depth > DEEPEST) return { marks: [], deeds: [] }
  const { marks, base, deeds = [] } = await files.read(found, undefined, context)
  const own = marks.map((mark) => ({
    ...mark,
    path: found.path,
    hidden: mark.at >= end || mark.hidden,
  }))
  const done = deeds.filter(({ at }) => at < end)
  const earlier = base && (await partBefore(files, base, context, depth + 1))
  return {
    marks: [...(earlier?.marks ?? []), ...own],
    deeds: [...(earlier?.deeds ?? []), ...done],
  }
}

/** Their place in the other file says nothing in this one. */
function elsewhere(deeds: readonly Deed[]): Deed[] {
  return deeds.map((deed, place) => ({ ...deed, at: IN_ANOTHER_FILE - place, place: 0 }))
}

async function* turns(
  files: Source,
  found: Found,
  reading: Reading,
  context: ReadContext,
  wanted: TurnsWanted = {},
): AsyncGenerator<BareTurn> {
  const requests = new Set(requestsOf(reading))
  let before = 0
  for (const path of new Set(reading.marks.map((mark) => mark.path))) {
    const here = reading.marks.filter((mark) => mark.path === path)
    const counted = here.filter((mark) => requests.has(mark)).length
    const part = { ...reading, marks: here.filter((mark) => mark.hidden || requests.has(mark)) }
    const { from = 1, to = Number.POSITIVE_INFINITY } = wanted
    const shifted = { ...wanted, from: from - before, to: to - before }
    for await (const turn of files.turns(
      { ...found, path: path ?? found.path },
      part,
      context,
      shifted,
    ))
      yield { ...turn, position: turn.position + before }
    before += counted
  }
}
