import { join } from 'node:path'
import { inputOf } from '../deeds/call-deeds.ts'
import type { DeedFacts } from '../deeds/deed.ts'
import { placeDeeds } from '../deeds/deed-collector.ts'
import { deedsOfDone } from '../deeds/done-call.ts'
import { type Mark, type Reading, type ReadResult, requestsOf } from '../dialog.ts'
import type { ForeignDatabase, OpenForeign } from '../foreign-database.ts'
import { cursorUserFolder, type Places } from '../places.ts'
import { folderOfUri, projectPath } from '../project-path.ts'
import {
  type JsonObject,
  listOf,
  objectIn,
  objectOf,
  textOf,
  timeOf,
} from '../reading/loose-json.ts'
import { markedText } from '../redacted-preview.ts'
import type { Source } from '../source.ts'
import { type RowStamp, rowSource, rowStamp } from './row-source.ts'

const PERSON = 1
const AGENT = 2

/** Composers in the global `state.vscdb`: `composerData:<id>` names its bubbles, each a row of its own or, in older versions, inside. */
export function cursor(places: Places, open: OpenForeign): Source {
  return rowSource({
    name: 'cursor',
    path: join(cursorUserFolder(places), 'globalStorage', 'state.vscdb'),
    open,
    fits: (client) => /cursor/i.test(client),
    stamps,
    read,
    text: (db, mark) => textOf(bubbleOf(db, mark).text) ?? '',
    answers,
  })
}

const STAMPS = `select substr(key, 14) as id, length(value) as size,
  case when json_valid(cast(value as text)) then json_extract(cast(value as text), '$.lastUpdatedAt') end as updated,
  case when json_valid(cast(value as text)) then json_extract(cast(value as text), '$.createdAt') end as created
  from cursorDiskKV where value is not null`

function stamps(db: ForeignDatabase, id?: string): RowStamp[] {
  const rows =
    id === undefined
      ? db.rows(`${STAMPS} and key > 'composerData:' and key < 'composerData;' limit 20000`)
      : db.rows(`${STAMPS} and key = ?`, `composerData:${id}`)
  return rows.map(rowStamp)
}

function read(db: ForeignDatabase, id: string): ReadResult {
  const composer = valueOfKey(db, `composerData:${id}`)
  // A helper that an agent started is not a talk with the person.
  const marks = composer.subagentInfo ? [] : marksOf(db, id, composer)
  const bubbles = [
    ...listOf(composer.fullConversationHeadersOnly),
    ...listOf(composer.conversation),
  ].map(objectOf)
  return {
    sessionId: textOf(composer.composerId) ?? id,
    project: folderOf(objectOf(objectOf(composer.workspaceIdentifier).uri)),
    title: textOf(composer.name),
    modelId: textOf(objectOf(composer.modelConfig).modelName),
    firstSeen: timeOf(composer.createdAt),
    lastSeen: timeOf(composer.lastUpdatedAt) ?? marks.at(-1)?.time ?? timeOf(composer.createdAt),
    status:
      composer.status === 'aborted'
        ? 'canceled'
        : bubbles.at(-1)?.type === AGENT
          ? 'completed'
          : 'in_progress',
    marks,
    offset: 0,
    deeds: placeDeeds(deedsOf(db, id, bubbles), undefined),
    lead: textOf(objectOf(composer.subagentInfo).parentComposerId),
  }
}

/** Bubbles stand in their order; a deed belongs to the person's last one before it. */
function deedsOf(db: ForeignDatabase, id: string, bubbles: readonly JsonObject[]) {
  const inRows = new Map(
    db
      .rows(
        `select key, cast(value as text) as value from cursorDiskKV
         where key > ? and key < ? and value like '%toolFormerData%'`,
        `bubbleId:${id}:`,
        `bubbleId:${id};`,
      )
      .map(({ key, value }) => [String(key), objectIn(value)] as const),
  )
  let asked = -1
  return bubbles.map((bubble, place) => {
    if (bubble.type === PERSON) asked = bubble.text === undefined ? asked + 1 : place
    const full = inRows.get(`bubbleId:${id}:${String(bubble.bubbleId)}`) ?? bubble
    return { at: asked, deeds: bubbleDeeds(full) }
  })
}

function marksOf(db: ForeignDatabase, id: string, composer: JsonObject): Mark[] {
  const headers = listOf(composer.fullConversationHeadersOnly).map(objectOf)
  const places =
    headers.length > 0
      ? headers.map((header) => ({
          type: header.type,
          at: -1,
          hint: `bubbleId:${id}:${String(header.bubbleId)}`,
        }))
      : listOf(composer.conversation).map((bubble, at) => ({
          type: objectOf(bubble).type,
          at,
          hint: `composerData:${id}`,
        }))
  return places
    .filter(({ type }) => type === PERSON)
    .map(({ at, hint }) => {
      const bubble = at === -1 ? valueOfKey(db, hint) : objectOf(listOf(composer.conversation)[at])
      return {
        at,
        size: 0,
        hint,
        time: timeOf(bubble.createdAt),
        ...markedText(textOf(bubble.text) ?? ''),
      }
    })
}

function bubbleOf(db: ForeignDatabase, { at, hint = '' }: Mark): JsonObject {
  const value = valueOfKey(db, hint)
  return at === -1 ? value : objectOf(listOf(value.conversation)[at])
}

function answers(db: ForeignDatabase, id: string, reading: Reading): Map<number, string> {
  const composer = valueOfKey(db, `composerData:${id}`)
  const headers = listOf(composer.fullConversationHeadersOnly).map(objectOf)
  const bubbles = headers.length > 0 ? headers : listOf(composer.conversation).map(objectOf)
  const last = new Map<number, string>()
  const asked = requestsOf(reading).length
  let place = -1
  for (const bubble of bubbles) {
    if (bubble.type === PERSON) place++
    else if (place < asked && place >= 0) {
      const text = textOf(
        (headers.length > 0 ? valueOfKey(db, `bubbleId:${id}:${String(bubble.bubbleId)}`) : bubble)
          .text,
      )
      if (text) last.set(place, text)
    }
  }
  return last
}

function folderOf(uri: JsonObject): string | undefined {
  const path = textOf(uri.fsPath) ?? textOf(uri.path)
  return path ? projectPath(path) : textOf(uri.external) && folderOfUri(String(uri.external))
}

/** Older versions keep a whole dialog in one row, which is asked for at each of its turns: it is parsed once. */
const composers = new WeakMap<
  ForeignDatabase,
  { readonly key: string; readonly value: JsonObject }
>()

function valueOfKey(db: ForeignDatabase, key: string): JsonObject {
  const known = composers.get(db)
  if (known?.key === key) return known.value
  const [row] = db.rows('select cast(value as text) as value from cursorDiskKV where key = ?', key)
  const value = objectIn(row?.value)
  if (key.startsWith('composerData:')) composers.set(db, { key, value })
  return value
}

/** A bubble of the agent keeps its call in `toolFormerData`, arguments and result as texts of JSON. */
function bubbleDeeds(bubble: JsonObject): DeedFacts[] {
  const { name, params, rawArgs, result, status, toolCallId } = objectOf(bubble.toolFormerData)
  if (textOf(name) === undefined || (status !== 'completed' && status !== 'error')) return []
  const outcome = inputOf(result)
  const exit = outcome.exitCodeV2 ?? outcome.exitCode
  return deedsOfDone({
    name: String(name),
    input: { ...inputOf(params), ...inputOf(rawArgs) },
    call: textOf(toolCallId),
    time: timeOf(bubble.createdAt),
    failed: status === 'error',
    output: textOf(outcome.output) ?? '',
    ...(typeof exit === 'number' ? { exit } : {}),
  })
}
