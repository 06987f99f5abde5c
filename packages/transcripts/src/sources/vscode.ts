import { basename, dirname, join } from 'node:path'
import type { DeedFacts } from '../deeds/deed.ts'
import { placeDeeds } from '../deeds/deed-collector.ts'
import { type Mark, type Reading, type ReadResult, requestsOf } from '../dialog.ts'
import type { OpenForeign } from '../foreign-database.ts'
import { editorUserFolders, type Places } from '../places.ts'
import { documentBytes, MAX_DOCUMENT_SIZE, splitDocument } from '../reading/document.ts'
import { entriesOf, fileAt, filesIn } from '../reading/files.ts'
import { cutAnswer, isWanted, MAX_ANSWER } from '../reading/gather-turns.ts'
import { elementsOf, rangeAt } from '../reading/json-ranges.ts'
import { bytesAt, linesOf, seamAt } from '../reading/lines.ts'
import {
  type JsonObject,
  listOf,
  objectOf,
  parsed,
  parsedOr,
  textOf,
} from '../reading/loose-json.ts'
import type { BareTurn, Found, ReadContext, Source, TurnsWanted } from '../source.ts'
import { fileStamp } from './row-source.ts'
import { sessionOfFile, withLiveChats } from './vscode-live.ts'
import {
  aboutSession,
  changedOrNoted,
  projectOfChat,
  type SessionFacts,
  withAnswerer,
  withStatus,
} from './vscode-project.ts'
import { answerText, changedMark, markOf, messageText } from './vscode-request.ts'

/** Under this key VS Code keeps what a person did with the sessions of a window, beside its chats. */
const STATES = "SELECT value FROM ItemTable WHERE key = 'agentSessions.state.cache'"

/** Most of a log is the answer being written; none of that changes what was asked. */
const ANSWER_LINE =
  /"k"\s*:\s*\[\s*"requests"\s*,\s*\d+\s*,\s*"(response|responseMarkdownInfo|elapsedMs|contentReferences|codeCitations)"/
const INPUT_LINE = /"k"\s*:\s*\[\s*"inputState"/
const HEAD = 160
/** A rewritten log is one line with everything in it. */
const MAX_STATE = 64 << 20

/** Copilot Chat in every editor built from VS Code. */
export function vscode(places: Places, open?: OpenForeign): Source {
  return vscodeIn(editorUserFolders(places), { here: places.project, open })
}

interface Options {
  readonly longestAnswer?: number
  /** The project of this process. */
  readonly here?: string
  /** Without it nobody knows which of them were archived. */
  readonly open?: OpenForeign
}

/** `.jsonl` mutation logs and older `.json` documents below the `User` folders of VS Code, and what it has in memory of them. */
export function vscodeIn(
  folders: readonly string[],
  { longestAnswer = MAX_ANSWER, here, open }: Options = {},
): Source {
  const project = (path: string) => projectOfChat(path, here)
  const files = chatFiles(folders, longestAnswer, project)
  const isArchived = open && archivedChats(open)
  return { ...withLiveChats(files, { users: folders, longestAnswer, project }), isArchived }
}

type ProjectOf = (path: string) => Promise<string | undefined>

function chatFiles(
  folders: readonly string[],
  longestAnswer: number,
  projectOf: ProjectOf,
): Source {
  return {
    name: 'vscode',
    roots: folders,
    fits: (client) =>
      /visual studio code|vscode|vscodium|code-server|copilot/i.test(client) &&
      !/cli|cursor/i.test(client),
    list: async (context) =>
      (await Promise.all(folders.map((folder) => sessionsIn(folder, context)))).flat(),
    stat: async (_key, path) => changedOrNoted(await fileAt(path)),
    read: async (found, known, context) => read(found, known, context, await projectOf(found.path)),
    text,
    turns: (found, reading, context, wanted) =>
      turns(found, reading, context, { longestAnswer, ...wanted }),
  }
}

async function sessionsIn(user: string, context: ReadContext): Promise<Found[]> {
  const workspaces = join(user, 'workspaceStorage')
  const chats = (await entriesOf(workspaces, context)).map((id) =>
    join(workspaces, id, 'chatSessions'),
  )
  chats.push(join(user, 'globalStorage', 'emptyWindowChatSessions'))
  const files = await Promise.all(chats.map((folder) => sessionFiles(folder, context)))
  return Promise.all(files.flat().map(changedOrNoted))
}

/** Where a session has both, the log replaced the document. */
async function sessionFiles(folder: string, context: ReadContext): Promise<Found[]> {
  const files = await filesIn(folder, (name) => /\.jsonl?$/.test(name), context)
  const paths = new Set(files.map(({ path }) => path))
  return files.filter(({ path }) => path.endsWith('.jsonl') || !paths.has(`${path}l`))
}

async function read(
  found: Found,
  known: Reading | undefined,
  context: ReadContext,
  project: string | undefined,
): Promise<ReadResult> {
  const sessionId = sessionOfFile(found.path)
  if (found.path.endsWith('.jsonl'))
    return { ...(await readLog(found, sessionId, known, context)), project }
  const partDeeds = await deedReader(context)
  const { rest, elements } = splitDocument(await documentBytes(found.path), ['requests'])
  let facts = aboutSession(rest, { sessionId })
  const marks: Mark[] = []
  const done: Parameters<typeof placeDeeds>[0][number][] = []
  for (const { value, at, size } of elements()) {
    const mark = markOf(value, at, size)
    marks.push(mark)
    const parts = listOf(value.response).map(objectOf)
    done.push({ at, deeds: parts.flatMap((part) => partDeeds(part, mark.time)) })
    facts = withAnswerer(facts, value)
  }
  return { ...withStatus(facts, marks), project, offset: 0, deeds: placeDeeds(done, project) }
}

async function text(path: string, mark: Mark): Promise<string | undefined> {
  const bytes = await bytesAt(path, mark.at, mark.size)
  const value = bytes && parsedOr(bytes)
  if (value === undefined) return undefined
  if (mark.hint === undefined) return messageText(objectOf(value).message)
  const { v } = objectOf(value)
  return messageText(mark.hint === 'request' ? objectOf(v).message : v)
}

/** Answers change until they are done, so the whole session is put together, within the bound of a document. */
async function* turns(
  found: Found,
  reading: Reading,
  context: ReadContext,
  wanted: TurnsWanted,
): AsyncGenerator<BareTurn> {
  const times = requestsOf(reading)
  const requests = found.path.endsWith('.jsonl')
    ? await replayLog(found.path, context)
    : [...splitDocument(await documentBytes(found.path), ['requests']).elements()].map(
        ({ value }) => value,
      )
  const shown = requests.filter((request) => !markOf(request, 0, 0).hidden)
  for (const [place, request] of shown.entries()) {
    if (!isWanted(place + 1, wanted)) continue
    yield {
      position: place + 1,
      time: times[place]?.time ?? reading.firstSeen ?? found.mtimeMs,
      request: messageText(request.message),
      ...cutAnswer(answerText(request.response), wanted),
    }
  }
}

type PartDeeds = typeof import('./vscode-deeds.ts').partDeeds

/** The editor keeps no deeds, so it never loads what reads them. */
async function deedReader({ wantsDeeds }: ReadContext): Promise<PartDeeds> {
  if (!wantsDeeds) return () => []
  return (await import('./vscode-deeds.ts')).partDeeds
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
async function readLog(
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
  for await (const lines of linesOf(found.path, draft.offset, context, MAX_STATE)) {
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

type Container = Record<string | number, unknown>

/** The requests of a session as its mutation log leaves them, answers included. */
async function replayLog(path: string, context: ReadContext): Promise<JsonObject[]> {
  let state: Container = {}
  let size = 0
  for await (const lines of linesOf(path, 0, context, MAX_DOCUMENT_SIZE / 2)) {
    for (const { bytes } of lines) {
      size += bytes.length
      const line = objectOf(parsedOr(bytes))
      if (line.kind === 0) state = { ...objectOf(line.v) }
      else if (listOf(line.k)[0] === 'requests') mutate(state, line)
    }
    if (size > MAX_DOCUMENT_SIZE) {
      context.warn(path, `answers after ${MAX_DOCUMENT_SIZE >> 20} MB of log were left out`)
      break
    }
  }
  // A request that was deleted leaves its place empty.
  return listOf(state.requests).flatMap((request) => (request ? [objectOf(request)] : []))
}

function mutate(state: Container, { kind, k, v, i }: JsonObject): void {
  const keys = listOf(k).filter((key) => typeof key === 'string' || typeof key === 'number')
  const last = keys.at(-1)
  const holder = keys
    .slice(0, -1)
    .reduce<unknown>(
      (at, key) => (isContainer(at) && Object.hasOwn(at, key) ? at[key] : undefined),
      state,
    )
  if (last === undefined || last === '__proto__' || !isContainer(holder)) return
  if (Array.isArray(holder) && typeof last === 'number' && last > holder.length) return
  if (kind === 1) holder[last] = v
  if (kind === 3) delete holder[last]
  if (kind !== 2) return
  const list = Array.isArray(holder[last]) ? (holder[last] as unknown[]) : []
  if (typeof i === 'number') list.length = Math.min(list.length, Math.max(0, i))
  for (const one of listOf(v)) list.push(one)
  holder[last] = list
}

function isContainer(value: unknown): value is Container {
  return value !== null && typeof value === 'object'
}

interface Known {
  readonly stamp: string
  readonly ids: Promise<ReadonlySet<string>>
}

/** Says whether the person archived a chat. A state that cannot be read costs the mark alone. */
function archivedChats(open: OpenForeign): (path: string) => Promise<boolean> {
  const known = new Map<string, Known>()
  return async (path) => {
    const chats = dirname(path)
    if (basename(chats) !== 'chatSessions') return false
    const state = join(dirname(chats), 'state.vscdb')
    const stamp = await fileStamp(state)
    if (stamp === undefined) return false
    if (known.get(state)?.stamp !== stamp) {
      const before = known.get(state)?.ids
      const ids = open(state, (database) => idsIn(database.rows(STATES)[0]?.value))
      known.set(state, { stamp, ids: ids.catch(() => before ?? new Set()) })
    }
    return (await known.get(state)?.ids)?.has(sessionOfFile(path)) ?? false
  }
}

function idsIn(value: unknown): ReadonlySet<string> {
  const text = value instanceof Uint8Array ? Buffer.from(value).toString() : textOf(value)
  const states = listOf(parsedOr(Buffer.from(text ?? ''))).map(objectOf)
  const archived = states.filter((state) => state.archived === true)
  return new Set(archived.flatMap(({ resource }) => sessionOf(resource) ?? []))
}

/** `vscode-chat-session://local/ID` with the id in base64; an older VS Code wrote the parts of that address. */
function sessionOf(resource: unknown): string | undefined {
  const { scheme, path } = objectOf(resource)
  const address = textOf(resource) ?? `${textOf(scheme)}://local${textOf(path)}`
  const encoded = /^vscode-chat-session:\/\/local\/([\w+/=-]+)$/.exec(decoded(address))?.[1]
  return encoded && Buffer.from(encoded, 'base64').toString()
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}
