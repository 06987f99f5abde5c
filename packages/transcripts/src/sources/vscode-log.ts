import type { DeedFacts } from '../deeds/deed.ts'
import { placeDeeds } from '../deeds/place-deeds.ts'
import type { Mark, Reading, ReadResult } from '../dialog.ts'
import { splitDocument } from '../reading/document.ts'
import { elementsOf, rangeAt } from '../reading/json-ranges.ts'
import { linesOf, seamAt } from '../reading/lines.ts'
import { type JsonObject, listOf, objectOf, parsed, parsedOr } from '../reading/loose-json.ts'
import type { Found, ReadContext } from '../source.ts'
import { changedMark, markOf } from './vscode-request.ts'
import { aboutSession, type SessionFacts, withAnswerer, withStatus } from './vscode-session.ts'

/** Most of a log is the answer being written; none of that changes what was asked. */
const ANSWER_LINE =
  /"k"\s*:\s*\[\s*"requests"\s*,\s*\d+\s*,\s*"(response|responseMarkdownInfo|elapsedMs|contentReferences|codeCitations)"/
const INPUT_LINE = /"k"\s*:\s*\[\s*"inputState"/
const HEAD = 160
/** A rewritten log is one line with everything in it. */
const LONGEST_STATE = 64 << 20

type PartDeeds = typeof import('../deeds/readers/vscode.ts').partDeeds

/** The editor keeps no deeds, so it never loads what reads them. */
export async function deedReader({ wantsDeeds }: ReadContext): Promise<PartDeeds> {
  if (!wantsDeeds) return () => []
  return (await import('../deeds/readers/vscode.ts')).partDeeds
}

interface Draft {
  facts: SessionFacts
  marks: Mark[]
  offset: number
  done: { at: number; deeds: DeedFacts[] }[]
  readonly partDeeds: PartDeeds
  /** The deeds are those of the whole session. */
  isWhole?: boolean
}

/** Reads the mutation log that newer versions write; a rewritten one is read again from the start. */
export async function readLog(
  found: Found,
  sessionId: string,
  known: Reading | undefined,
  context: ReadContext,
): Promise<ReadResult> {
  const goesOn =
    known !== undefined &&
    known.offset <= found.size &&
    (await seamAt(found.path, known.offset)) === known.seam
  const partDeeds = await deedReader(context)
  const draft: Draft = goesOn
    ? { facts: known, marks: [...known.marks], offset: known.offset, done: [], partDeeds }
    : { facts: { sessionId }, marks: [], offset: 0, done: [], partDeeds, isWhole: true }
  for await (const lines of linesOf(found.path, draft.offset, context, LONGEST_STATE)) {
    for (const { bytes, at, whole } of lines) {
      if (!(whole && saysNothing(bytes)) && !apply(draft, bytes, at)) {
        context.warn(
          found.path,
          whole ? `line at byte ${at} is broken and was left out` : 'the last line is incomplete',
        )
        if (!whole) continue
      }
      if (whole && tellsDeeds(bytes)) takeDeeds(draft, objectOf(parsedOr(bytes)), at)
      draft.offset = at + bytes.length + (whole ? 1 : 0)
    }
  }
  const seam = await seamAt(found.path, draft.offset)
  const deeds = placeDeeds(draft.done, undefined)
  const { isWhole = false } = draft
  return { ...withStatus(draft.facts, draft.marks), offset: draft.offset, seam, deeds, isWhole }
}

function tellsDeeds(bytes: Buffer): boolean {
  return bytes.includes('"toolInvocationSerialized"') || bytes.includes('"textEditGroup"')
}

/** Parts of an answer come one by one, or with the whole state; each stands where its line does, after its request. */
function takeDeeds(draft: Draft, line: JsonObject, at: number): void {
  const [top, place, field] = listOf(line.k)
  const take = (response: unknown, index: number, from: number) => {
    const time = draft.marks[index]?.time
    for (const part of listOf(response).map(objectOf))
      draft.done.push({ at: from, deeds: draft.partDeeds(part, time) })
  }
  if (top === 'requests' && field === 'response' && typeof place === 'number')
    take(line.v, place, lastBefore(draft, place, at))
  else {
    const requests =
      top === undefined ? objectOf(line.v).requests : top === 'requests' ? line.v : []
    if (top === undefined) Object.assign(draft, { done: [], isWhole: true })
    const first = draft.marks.length - listOf(requests).length
    for (const [index, request] of listOf(requests).entries())
      take(objectOf(request).response, first + index, draft.marks[first + index]?.at ?? at)
  }
}

/** An answer to an earlier request must not count for a later one. */
function lastBefore(draft: Draft, place: number, at: number): number {
  const next = draft.marks[place + 1]
  return next && next.at < at ? (draft.marks[place]?.at ?? at) : at
}

function saysNothing(bytes: Buffer): boolean {
  const head = bytes.toString('latin1', 0, HEAD)
  return ANSWER_LINE.test(head) || INPUT_LINE.test(head)
}

/** False where the line is no JSON. */
function apply(draft: Draft, bytes: Buffer, at: number): boolean {
  try {
    const whole = rangeAt(bytes, ['v', 'requests'])
    if (whole && !rangeAt(bytes, ['k'])) replaceState(draft, bytes, at)
    else change(draft, objectOf(parsed(bytes)), bytes, at)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

function replaceState(draft: Draft, bytes: Buffer, at: number): void {
  const { rest, elements } = splitDocument(bytes, ['v', 'requests'])
  draft.facts = aboutSession(objectOf(rest.v), draft.facts)
  draft.marks = []
  for (const element of elements()) add(draft, element.value, at + element.at, element.size)
}

function change(draft: Draft, line: JsonObject, bytes: Buffer, at: number): void {
  const [top, place, field, inner] = listOf(line.k)
  const sets = line.kind === 1
  if (top !== 'requests') {
    if (line.kind === 0)
      Object.assign(draft, { facts: aboutSession(objectOf(line.v), draft.facts), marks: [] })
    else if (sets && typeof top === 'string' && place === undefined)
      draft.facts = aboutSession({ [top]: line.v }, draft.facts)
    return
  }
  if (place === undefined) {
    if (line.kind === 3 || sets) draft.marks = []
    else if (typeof line.i === 'number')
      draft.marks.length = Math.min(draft.marks.length, Math.max(0, line.i))
    if (line.kind !== 3) push(draft, bytes, at)
    return
  }
  if (typeof place !== 'number' || place > draft.marks.length) return
  const mark = draft.marks[place]
  const size = bytes.length
  if (field === undefined) {
    // The places of the others stay as they are.
    if (line.kind === 3 && mark) draft.marks[place] = { at, size, preview: '', hidden: true }
    else if (sets) draft.marks[place] = { ...markOf(objectOf(line.v), at, size), hint: 'request' }
  } else if (mark && (inner === undefined || (field === 'message' && inner === 'text'))) {
    draft.marks[place] = changedMark(mark, field, line.kind === 3 ? undefined : line.v, {
      at,
      size,
    })
  }
}

function push(draft: Draft, bytes: Buffer, at: number): void {
  const range = rangeAt(bytes, ['v'])
  for (const { start, end } of range ? elementsOf(bytes, range) : [])
    add(draft, objectOf(parsedOr(bytes.subarray(start, end))), at + start, end - start)
}

function add(draft: Draft, request: JsonObject, at: number, size: number): void {
  draft.marks.push(markOf(request, at, size))
  draft.facts = withAnswerer(draft.facts, request)
}
