import { basename, join } from 'node:path'
import { isProgramMessage } from '../authorship.ts'
import { diffLines } from '../deeds/call-deeds.ts'
import type { DeedFacts } from '../deeds/deed.ts'
import { placeDeeds, placerByTime } from '../deeds/deed-collector.ts'
import { deedsOfDone } from '../deeds/done-call.ts'
import type { Mark, Reading, ReadResult } from '../dialog.ts'
import type { ForeignDatabase, OpenForeign } from '../foreign-database.ts'
import { dataRoot, type Places } from '../places.ts'
import { projectPath } from '../project-path.ts'
import { documentBytes } from '../reading/document.ts'
import { entriesOf, fileAt, filesBelow } from '../reading/files.ts'
import { gatherTurns, type Said } from '../reading/gather-turns.ts'
import {
  type JsonObject,
  objectIn,
  objectOf,
  parsedOr,
  textOf,
  timeOf,
} from '../reading/loose-json.ts'
import { markedText } from '../redacted-preview.ts'
import type { Found, ReadContext, Source } from '../source.ts'
import { type RowSource, type RowStamp, rowSource, rowStamp } from './row-source.ts'

/** Newer versions keep rows, older ones files; a session that was moved from one to the other counts once. */
export function opencode(places: Places, open?: OpenForeign): Source {
  const files = opencodeFiles(places)
  if (!open) return files
  const rows = opencodeRows({
    name: 'opencode',
    path: join(dataRoot(places), 'opencode', 'opencode.db'),
    open,
    fits: (client) => /opencode/i.test(client),
  })
  const holder = (path: string) => (path.endsWith('.db') ? rows : files)
  return {
    ...rows,
    roots: [...rows.roots, ...files.roots],
    async list(context) {
      const [inRows, inFiles] = [await rows.list(context), await files.list(context)]
      const moved = new Set(inRows.map(({ key }) => key.slice(key.indexOf('#') + 1)))
      return [...inRows, ...inFiles.filter(({ path }) => !moved.has(basename(path, '.json')))]
    },
    stat: (key, path) => holder(path).stat(key, path),
    waitsSince: async (key) => (key.includes('.db#') ? rows.waitsSince?.(key) : undefined),
    read: (found, known, context) => holder(found.path).read(found, known, context),
    text: (path, mark) => holder(path).text(path, mark),
    turns: (found, reading, context, wanted) =>
      holder(found.path).turns(found, reading, context, wanted),
  }
}

/** SQLite tables `session`, `message` and `part`, the last two with JSON in `data`. */
export function opencodeRows(about: Pick<RowSource, 'name' | 'path' | 'open' | 'fits'>): Source {
  return rowSource({
    ...about,
    stamps,
    waitsSince,
    read,
    text: (db, mark) => textOfMessage(db, mark.hint ?? ''),
    answers,
  })
}

function stamps(db: ForeignDatabase, id?: string): RowStamp[] {
  const select = `select s.id as id, ${updatedIn(db)} as updated, s.time_created as created,
    (select count(*) from message m where m.session_id = s.id) as size from session s`
  // A session with a parent is an agent talking to itself.
  const rows =
    id === undefined
      ? db.rows(`${select} where s.parent_id is null order by s.time_updated desc limit 20000`)
      : db.rows(`${select} where s.id = ?`, id)
  return rows.map(rowStamp)
}

/** What is added to the last message leaves no mark on its session; older versions do not date it at all. */
function updatedIn(db: ForeignDatabase): string {
  const [dated] = db.rows("select 1 from pragma_table_info('message') where name = 'time_updated'")
  if (!dated) return 's.time_updated'
  return `max(s.time_updated, coalesce((select m.time_updated from message m where m.session_id = s.id
    order by m.time_created desc, m.id desc limit 1), 0))`
}

/** A call is written down before it is made, without a mark on its session. */
function waitsSince(db: ForeignDatabase, id: string): number | undefined {
  const [row] = db.rows(
    `select max(time_created) as since from part where session_id = ? and data like '%"status":"running"%'`,
    id,
  )
  return timeOf(row?.since)
}

function read(db: ForeignDatabase, id: string): ReadResult {
  const session = db.rows('select * from session where id = ?', id)[0] ?? {}
  const directory = textOf(session.directory)
  const messages = messagesOf(db, id)
  const marks: Mark[] = []
  for (const { key, time, data } of messages) {
    const text = data.role === 'user' ? textOfMessage(db, key) : undefined
    if (text && !isProgramMessage(text))
      marks.push({ at: -1, size: 0, hint: key, time, ...markedText(text) })
  }
  const placeByTime = placerByTime(marks)
  const interrupts = messages.map(({ data, time }) => ({
    at: placeByTime(time ?? 0),
    deeds: interruptIn(data),
  }))
  const last = messages.at(-1)?.data
  return {
    sessionId: id,
    project: directory && projectPath(directory),
    title: textOf(session.title),
    modelId: textOf(last?.modelID),
    firstSeen: timeOf(session.time_created),
    lastSeen: timeOf(session.time_updated),
    status: last?.role !== 'assistant' ? 'in_progress' : last.error ? 'failed' : 'completed',
    marks,
    offset: 0,
    deeds: placeDeeds(
      [...deedsOf(db, id, marks), ...interrupts],
      directory && projectPath(directory),
    ),
  }
}

/** Of the session and of the helpers that it started, which are sessions of their own. */
function deedsOf(db: ForeignDatabase, id: string, marks: readonly Mark[]) {
  const parts = db.rows(
    `select p.data as data, s.id as session, s.time_created as started from part p join session s on s.id = p.session_id
     where (s.id = ? or s.parent_id = ?) and p.data like '%"tool"%' order by p.id`,
    id,
    id,
  )
  const placeByTime = placerByTime(marks)
  return parts.map(({ data, session, started }) => {
    const deeds = partDeeds(objectIn(data))
    const time = session === id ? deeds[0]?.time : timeOf(started)
    return { at: placeByTime(time ?? 0), deeds }
  })
}

function answers(db: ForeignDatabase, id: string, { marks }: Reading): Map<number, string> {
  const places = new Map(marks.map(({ hint }, place) => [hint, place]))
  const last = new Map<number, string>()
  let place = -1
  for (const { key, data } of messagesOf(db, id)) {
    place = places.get(key) ?? place
    const text = data.role === 'assistant' && place >= 0 ? textOfMessage(db, key) : undefined
    if (text) last.set(place, text)
  }
  return last
}

function messagesOf(
  db: ForeignDatabase,
  session: string,
): readonly { key: string; time?: number; data: JsonObject }[] {
  const [about] = db.rows('select * from session where id = ?', session)
  const rows = db.rows(
    'select id, time_created, data from message where session_id = ? order by time_created, id',
    session,
  )
  const messages = rows.map((row) => ({
    key: String(row.id),
    time: timeOf(row.time_created),
    data: objectIn(row.data),
  }))
  return keptOf(messages, objectIn(about?.revert), ({ key }) => key)
}

function textOfMessage(db: ForeignDatabase, message: string): string | undefined {
  const parts = db
    .rows('select data from part where message_id = ? order by id', message)
    .map(({ data }) => objectIn(data))
  return partsText(parts)
}

/** A part of type `tool`: input, output and what the tool noted besides. */
export function partDeeds(part: JsonObject): DeedFacts[] {
  const { input, status, output, error, metadata: noted, time } = objectOf(part.state)
  if (part.type !== 'tool' || (status !== 'completed' && status !== 'error')) return []
  const metadata = objectOf(noted)
  const diff = textOf(metadata.diff)
  const { exit } = metadata
  return deedsOfDone({
    name: String(part.tool),
    input: objectOf(input),
    call: textOf(part.callID),
    time: timeOf(objectOf(time).start),
    failed: status === 'error',
    output: textOf(output) ?? textOf(error) ?? '',
    ...(typeof exit === 'number' ? { exit } : {}),
    ...(diff === undefined ? {} : { lines: diffLines(diff) }),
  })
}

/** The words of a message. A command that starts an agent of its own leaves nothing but its name. */
export function partsText(parts: readonly JsonObject[]): string | undefined {
  const texts = parts.filter(
    ({ type, synthetic, ignored }) => type === 'text' && !synthetic && !ignored,
  )
  const command = textOf(parts.find(({ type }) => type === 'subtask')?.command)
  return (
    textOf(texts.map(({ text }) => textOf(text) ?? '').join('\n')) ?? (command && `/${command}`)
  )
}

/** What an undo left: everything before the message that it names, and that one too where only a part of it was undone. */
export function keptOf<T>(
  messages: readonly T[],
  { messageID, partID }: JsonObject,
  idOf: (message: T) => string,
): readonly T[] {
  const place = messages.findIndex((message) => idOf(message) === messageID)
  if (place === -1) return messages
  return messages.slice(0, partID === undefined ? place : place + 1)
}

/** The person stopped the agent while it wrote this message. */
export function interruptIn({ error, time }: JsonObject): DeedFacts[] {
  if (objectOf(error).name !== 'MessageAbortedError') return []
  const { completed, created } = objectOf(time)
  return [{ kind: 'interrupt', time: timeOf(completed) ?? timeOf(created) }]
}

/** Kilo grew from opencode and keeps the same tables. */
export function kilo(places: Places, open: OpenForeign): Source {
  const path = join(dataRoot(places), 'kilo', 'kilo.db')
  return opencodeRows({ name: 'kilo', path, open, fits: (client) => /kilo/i.test(client) })
}

/** Older versions: `storage/session/<project>/<id>.json`, a file for each message and one for each part of it. */
function opencodeFiles(places: Places): Source {
  const root = join(dataRoot(places), 'opencode', 'storage')
  return {
    name: 'opencode',
    roots: [join(root, 'session')],
    fits: (client) => /opencode/i.test(client),
    list: (context) => filesBelow(join(root, 'session'), (name) => name.endsWith('.json'), context),
    stat: (_key, path) => fileAt(path),
    read: (found, _known, context) => readFiles(root, found, context),
    text: (_path, mark) => textOfFiles(root, mark.hint ?? ''),
    turns: (found, reading, context, wanted) =>
      gatherTurns(saidIn(root, found, reading, context), wanted),
  }
}

async function readFiles(root: string, { path }: Found, context: ReadContext): Promise<ReadResult> {
  const session = await jsonFile(path)
  const id = textOf(session.id)
  if (id === undefined) throw new SyntaxError('no session')
  const marks: Mark[] = []
  const done: Parameters<typeof placeDeeds>[0][number][] = []
  // A session with a parent is an agent talking to itself.
  for (const message of session.parentID ? [] : await messageFiles(root, session, context)) {
    const hint = String(message.id)
    const text = message.role === 'user' ? await textOfFiles(root, hint) : undefined
    if (text)
      marks.push({
        at: -1,
        size: 0,
        hint,
        time: timeOf(objectOf(message.time).created),
        ...markedText(text),
      })
    else if (message.role === 'assistant') {
      const deeds = (await partsOf(root, hint)).flatMap(partDeeds)
      done.push({ at: marks.length - 1, deeds: [...deeds, ...interruptIn(message)] })
    }
  }
  const directory = textOf(session.directory)
  return {
    sessionId: id,
    project: directory && projectPath(directory),
    title: textOf(session.title),
    firstSeen: timeOf(objectOf(session.time).created),
    lastSeen: timeOf(objectOf(session.time).updated),
    status: 'completed',
    marks,
    offset: 0,
    deeds: placeDeeds(done, directory && projectPath(directory)),
  }
}

async function* saidIn(
  root: string,
  found: Found,
  reading: Reading,
  context: ReadContext,
): AsyncGenerator<Said> {
  const places = new Map(reading.marks.map(({ hint }, place) => [hint, place]))
  for (const message of await messageFiles(root, await jsonFile(found.path), context)) {
    const place = places.get(String(message.id))
    const text = await textOfFiles(root, String(message.id))
    if (place === undefined) yield { answer: text }
    else
      yield {
        position: place + 1,
        time: reading.marks[place]?.time ?? reading.firstSeen ?? found.mtimeMs,
        request: text ?? '',
      }
  }
}

async function messageFiles(
  root: string,
  { id, revert }: JsonObject,
  context: ReadContext,
): Promise<readonly JsonObject[]> {
  const folder = join(root, 'message', String(id))
  const names = (await entriesOf(folder, context)).filter((name) => name.endsWith('.json')).sort()
  const messages = await Promise.all(names.map((name) => jsonFile(join(folder, name))))
  return keptOf(messages, objectOf(revert), (message) => String(message.id))
}

async function textOfFiles(root: string, message: string): Promise<string | undefined> {
  return partsText(await partsOf(root, message))
}

async function partsOf(root: string, message: string): Promise<JsonObject[]> {
  const folder = join(root, 'part', message)
  const names = (await entriesOf(folder, { warn: () => {} })).sort()
  return Promise.all(names.map((name) => jsonFile(join(folder, name))))
}

async function jsonFile(path: string): Promise<JsonObject> {
  return objectOf(await documentBytes(path).then(parsedOr, () => undefined))
}
