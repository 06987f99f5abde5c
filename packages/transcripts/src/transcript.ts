import type { DeedFormat } from './deeds/deed.ts'
import { DeedCollector } from './deeds/deed-collector.ts'
import {
  type Base,
  type DialogStatus,
  type Mark,
  type Reading,
  type ReadResult,
  requestsOf,
} from './dialog.ts'
import { projectPath } from './project-path.ts'
import { isWanted, type Said } from './reading/gather-turns.ts'
import { bytesAt, type Line, linesOf, seamAt } from './reading/lines.ts'
import { objectOf, parsedOr, timeOf } from './reading/loose-json.ts'
import { markedText, previewOf, questionPreview } from './redacted-preview.ts'
import type { Found, ReadContext, TurnsWanted } from './source.ts'

/** Larger lines are not worth reading for a time alone: those around them have one as well. */
const MAX_SIZE = 1 << 18
const MAX_LINES = 20

/** Its end may still be written, so it is read again. */
export const INCOMPLETE_LINE = 'the last line is incomplete'
/** So many lines of which none says anything are no transcript that has just begun. */
const MIN_LINES = 10

/** What one line of a transcript says. */
export interface Entry {
  readonly sessionId?: string
  /** As the transcript spells it. */
  readonly project?: string
  readonly title?: string
  readonly agentId?: string
  readonly modelId?: string
  readonly time?: number
  readonly status?: DialogStatus
  /** The person's words. */
  readonly request?: string
  /** What the agent had asked, if the request answers that. */
  readonly question?: string
  /** Counts only if the transcript has no better request. */
  readonly spare?: boolean
  readonly hidden?: boolean
  /** A later entry with the same id replaces this one. */
  readonly id?: string
  /** Takes back everything from the entry with this id on. */
  readonly rewindTo?: string
  /** Takes back so many of the last requests. */
  readonly takesBack?: number
  /** Says nothing new where the same words, or any at all, were there before. */
  readonly repeats?: 'words' | 'all'
  /** The request joins those that wait for the agent, or leaves them: given to it, or taken back. */
  readonly queue?: 'waits' | 'given' | 'dropped'
  /** May be the fuller record of a request that was queued. */
  readonly fromQueue?: boolean
  readonly answer?: string
  /** The whole transcript is an agent talking to itself. */
  readonly helper?: boolean
  /** Where the transcript goes on from. */
  readonly base?: Base
  /** Of such a transcript: the session it works for. */
  readonly lead?: string
}

/** A transcript of one JSON object a line that only ever grows. */
export interface LineFormat {
  /** A cheap look at the bytes: most lines hold neither a request nor anything about the dialog. */
  matters(line: Buffer): boolean
  isAnswer(line: Buffer): boolean
  /** If the format does not record how a turn ended: whether this line leaves it open; undefined for noise. */
  endsTurn?(line: Buffer): boolean | undefined
  /** One line may hold several entries. */
  interpret(line: unknown): Entry | readonly Entry[] | undefined
  sessionIdOf(path: string): string
  /** When a line was written; its `timestamp` unless this says otherwise. */
  timeOf?(line: unknown): unknown
  /** What was done stands between the words, and is read in the same pass. */
  readonly deeds?: DeedFormat
}

type Draft = { -readonly [K in keyof Reading]: Reading[K] } & {
  marks: Mark[]
  readonly seen: MarksSeen
  /** The folder as the transcript spells it. */
  spelled?: string
  /** The status was recorded in the part that was read. */
  hasRecordedEnd?: boolean
}

export async function readTranscript(
  format: LineFormat,
  found: Found,
  known: Reading | undefined,
  context: ReadContext,
): Promise<ReadResult> {
  const goesOn =
    known !== undefined &&
    known.offset <= found.size &&
    (await seamAt(found.path, known.offset)) === known.seam
  const { waiting, toldAt, ...before } = goesOn
    ? known
    : {
        sessionId: format.sessionIdOf(found.path),
        status: 'pending' as const,
        marks: [],
        offset: 0,
      }
  const draft: Draft = {
    ...before,
    marks: [...before.marks],
    seen: new MarksSeen(before.marks),
  }
  const collector = new DeedCollector(waiting, toldAt)
  collector.within(draft.project, draft.spelled)
  let isOver: boolean | undefined
  let count = 0
  let isJson: boolean | undefined
  for await (const lines of linesOf(found.path, draft.offset, context)) {
    for (const { bytes, at, whole } of lines) {
      count++
      isJson ??= whole ? parsedOr(bytes) !== undefined : undefined
      const glanced = format.deeds?.glance(bytes, collector.waiting) ?? []
      const matters = format.matters(bytes)
      const value = !whole || matters || glanced === 'parse' ? parsedOr(bytes) : null
      if (value === undefined) {
        context.warn(
          found.path,
          whole ? `line at byte ${at} is broken and was left out` : INCOMPLETE_LINE,
        )
        if (!whole) continue
      }
      draft.offset = at + bytes.length + (whole ? 1 : 0)
      if (value && matters) {
        for (const [place, entry] of entriesOf(format, value).entries())
          if (take(draft, entry, at, bytes.length, place)) collector.requestSeen()
        collector.within(draft.project, draft.spelled)
      }
      if (glanced === 'parse') collector.take(format.deeds?.read(value ?? {}) ?? [], at)
      else if (glanced.length > 0) collector.take(glanced, at)
    }
    draft.lastSeen = Math.max(draft.lastSeen ?? 0, lastTimeIn(lines, format)) || undefined
    isOver = lastOf(lines, format.endsTurn) ?? isOver
  }
  if (isOver && draft.status === 'in_progress') draft.status = 'completed'
  // A read in the middle of a turn may have taken the agent's last words so far for the end.
  if (isOver === false && draft.status === 'completed' && !draft.hasRecordedEnd)
    draft.status = 'in_progress'
  draft.seam = await seamAt(found.path, draft.offset)
  const result = finished(draft, collector, !goesOn)
  if (!goesOn && isEmpty(result) && (isJson === false || count >= MIN_LINES))
    context.warn(
      found.path,
      isJson ? `nothing was understood in ${count} lines` : 'its lines are not JSON in UTF-8',
    )
  return result
}

/** Nothing in it was understood; the records of a helper have at least a time. */
function isEmpty({ marks, title, project, firstSeen, deeds = [] }: ReadResult): boolean {
  return marks.length + deeds.length === 0 && (title ?? project ?? firstSeen) === undefined
}

function lastOf(
  lines: readonly { readonly bytes: Buffer }[],
  tell: LineFormat['endsTurn'],
): boolean | undefined {
  for (let index = lines.length - 1; tell && index >= 0; index--) {
    const told = tell(lines[index]?.bytes ?? Buffer.alloc(0))
    if (told !== undefined) return told
  }
  return undefined
}

function finished(draft: Draft, collector: DeedCollector, isWhole: boolean): ReadResult {
  const { deeds, waiting, since } = collector.finish()
  const { spelled: _spelled, seen: _seen, hasRecordedEnd: _end, ...reading } = draft
  return {
    ...reading,
    ...(waiting.length > 0 ? { waiting } : {}),
    ...(draft.helper && since !== undefined ? { toldAt: since } : {}),
    deeds: draft.helper ? deeds : deeds.map(({ since: _since, ...deed }) => deed),
    isWhole,
  }
}

function entriesOf(format: LineFormat, value: unknown): readonly Entry[] {
  const entries = format.interpret(value)
  return entries === undefined ? [] : [entries].flat()
}

/** Says whether the person asked something. */
function take(draft: Draft, entry: Entry, at: number, size: number, place: number): boolean {
  if (entry.sessionId !== undefined) draft.sessionId = entry.sessionId
  draft.spelled ??= entry.project
  if (draft.project === undefined && entry.project !== undefined)
    draft.project = projectPath(entry.project)
  draft.title = entry.title ?? draft.title
  draft.agentId = entry.agentId ?? draft.agentId
  draft.modelId = entry.modelId ?? draft.modelId
  draft.status = entry.status ?? draft.status
  if (entry.status !== undefined) draft.hasRecordedEnd = entry.status !== 'in_progress'
  draft.firstSeen ??= entry.time
  draft.helper ??= entry.helper
  draft.base ??= entry.base
  draft.lead ??= entry.lead
  if (entry.rewindTo !== undefined) rewind(draft.marks, entry.rewindTo)
  if (entry.takesBack !== undefined) takeBack(draft.marks, requestsOf(draft).at(-entry.takesBack))
  if (entry.queue === 'given') giveQueued(draft.marks, entry.request, { at, time: entry.time })
  else if (entry.queue === 'dropped') takeQueuedBack(draft.marks, entry.request)
  else if (entry.request !== undefined) {
    const { time, id, spare, hidden, queue: queued } = entry
    const hint = place === 0 ? undefined : String(place)
    const marked = markedText(entry.request)
    const { preview } = marked
    if (!queued && draft.seen.mayHaveQueued()) dropQueued(draft.marks, preview, entry.fromQueue)
    if (isRepeated(draft, entry.repeats, preview)) return false
    const question = entry.question === undefined ? undefined : questionPreview(entry.question)
    addMark(draft, { ...marked, at, size, time, question, id, spare, hidden, queued, hint })
    return true
  }
  return false
}

function isRepeated({ marks, seen }: Draft, how: Entry['repeats'], preview: string): boolean {
  if (how === 'all') return marks.length > 0
  if (how === undefined || !seen.mayHavePreview(preview)) return false
  return marks.some((mark) => mark.preview === preview)
}

function addMark({ marks, seen }: Draft, mark: Mark): void {
  const isEarlier = ({ id, hidden }: Mark) => id === mark.id && !hidden
  const earlier = seen.mayHaveId(mark.id) ? marks.findLastIndex(isEarlier) : -1
  if (earlier === -1) marks.push(mark)
  else marks[earlier] = mark
  seen.add(mark)
}

function rewind(marks: Mark[], id: string): void {
  const first = marks.find((mark) => mark.id === id && !mark.hidden)
  takeBack(marks, first)
}

/** What was taken back stays as a place: the answers that follow it belong to nothing that counts. */
function takeBack(marks: Mark[], first: Mark | undefined): void {
  const from = first === undefined ? marks.length : marks.indexOf(first)
  for (const [place, mark] of marks.entries())
    if (place >= from) marks[place] = { ...mark, hidden: true }
}

/** The request that a mark points to; undefined where the file has changed under it. */
export async function requestAt(
  format: LineFormat,
  path: string,
  mark: Mark,
): Promise<string | undefined> {
  const bytes = await bytesAt(mark.path ?? path, mark.at, mark.size)
  const value = bytes && parsedOr(bytes)
  return value ? entriesOf(format, value)[Number(mark.hint ?? 0)]?.request : undefined
}

/** What a transcript says, from the first request that is wanted to the one after the last. */
export async function* saidInTranscript(
  format: LineFormat,
  found: Found,
  reading: Reading,
  context: ReadContext,
  wanted: TurnsWanted = {},
): AsyncGenerator<Said> {
  const requests = requestsOf(reading)
  const takenBack = new Set(reading.marks.filter(({ hidden }) => hidden).map(({ at }) => at))
  const positions = new Map(
    requests.map((mark, place) => [`${mark.at}/${mark.hint ?? 0}`, place + 1]),
  )
  const lineStarts = new Set(requests.map(({ at }) => at))
  const asked = requests.filter((_mark, place) => isWanted(place + 1, wanted))
  let missing = asked.length
  let answers = false
  const start = asked.reduce((least, { at }) => Math.min(least, at), found.size)
  for await (const lines of linesOf(found.path, start, context)) {
    for (const { bytes, at } of lines) {
      if (takenBack.has(at)) answers = false
      if (!lineStarts.has(at) && !(answers && format.isAnswer(bytes))) continue
      for (const [inLine, entry] of entriesOf(format, parsedOr(bytes) ?? {}).entries()) {
        const position = positions.get(`${at}/${inLine}`)
        if (position === undefined) {
          if (answers) yield { answer: entry.answer }
          continue
        }
        answers = isWanted(position, wanted)
        if (answers) missing--
        yield {
          position,
          time: entry.time ?? reading.firstSeen ?? found.mtimeMs,
          request: entry.request ?? '',
        }
        if (!answers && missing === 0) return
      }
    }
  }
}

/** When the last of these lines that has a time was written; 0 where none has. */
function lastTimeIn(
  lines: readonly Line[],
  { timeOf: timeIn = (line) => objectOf(line).timestamp }: { timeOf?(line: unknown): unknown },
): number {
  for (const { bytes } of lines.slice(-MAX_LINES).reverse()) {
    const time = bytes.length > MAX_SIZE ? undefined : timeOf(timeIn(parsedOr(bytes)))
    if (time !== undefined) return time
  }
  return 0
}

/** What marks there may be: in a dialog of many thousands none is looked for that cannot be there. */
class MarksSeen {
  readonly #ids = new Set<string>()
  readonly #previews = new Set<string>()
  #hasQueued = false

  constructor(marks: readonly Mark[]) {
    for (const mark of marks) this.add(mark)
  }

  add({ id, preview, queued }: Mark): void {
    if (id !== undefined) this.#ids.add(id)
    this.#previews.add(preview)
    this.#hasQueued ||= queued !== undefined
  }

  mayHaveQueued(): boolean {
    return this.#hasQueued
  }

  mayHaveId(id: string | undefined): boolean {
    return id !== undefined && this.#ids.has(id)
  }

  mayHavePreview(preview: string): boolean {
    return this.#previews.has(preview)
  }
}

/** The agent was given the request with these words; without words, the one that waited longest. */
function giveQueued(
  marks: Mark[],
  words: string | undefined,
  given: NonNullable<Mark['given']>,
): void {
  const place = waitingAt(marks, words)
  const mark = marks[place]
  if (mark) marks[place] = { ...mark, queued: 'given', given }
}

/** The request with these words was taken back; without words, everything that waits. */
function takeQueuedBack(marks: Mark[], words: string | undefined): void {
  if (words !== undefined) {
    const place = waitingAt(marks, words)
    if (place !== -1) marks.splice(place, 1)
    return
  }
  for (let place = marks.length - 1; place >= 0; place--)
    if (marks[place]?.queued === 'waits') marks.splice(place, 1)
}

function waitingAt(marks: readonly Mark[], words: string | undefined): number {
  return marks.findIndex(
    ({ queued, preview }) =>
      queued === 'waits' && (words === undefined || isSame(preview, previewOf(words))),
  )
}

/** A record of its own replaces what the queue said, so that nothing counts twice. */
function dropQueued(marks: Mark[], preview: string, fromQueue = false): void {
  const place = marks.findLastIndex(
    (mark) =>
      (mark.queued === 'waits' || (mark.queued === 'given' && fromQueue)) &&
      isSame(mark.preview, preview),
  )
  if (place !== -1) marks.splice(place, 1)
}

function isSame(one: string, other: string): boolean {
  const plain = (text: string) => text.replace(/\s+/g, ' ').trim()
  return plain(one) === plain(other)
}
