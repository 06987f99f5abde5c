import { basename, join } from 'node:path'
import { isProgramMessage } from '../authorship.ts'
import { placeByTime, placeDeeds } from '../deeds/place-deeds.ts'
import { partDeeds } from '../deeds/readers/opencode.ts'
import type { Mark, Reading, ReadResult } from '../dialog.ts'
import type { ForeignDatabase, OpenForeign } from '../foreign-database.ts'
import { dataRoot, type Places } from '../places.ts'
import { projectPath } from '../project-path.ts'
import { type JsonObject, objectIn, textOf, timeOf } from '../reading/loose-json.ts'
import { markedText } from '../redacted-preview.ts'
import type { Source } from '../source.ts'
import { opencodeFiles } from './opencode-files.ts'
import { interruptIn, keptOf, partsText } from './opencode-message.ts'
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
  const interrupts = messages.map(({ data, time }) => ({
    at: placeByTime(marks, time ?? 0),
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
  return parts.map(({ data, session, started }) => {
    const deeds = partDeeds(objectIn(data))
    const time = session === id ? deeds[0]?.time : timeOf(started)
    return { at: placeByTime(marks, time ?? 0), deeds }
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
