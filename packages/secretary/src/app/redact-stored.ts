import { setTimeout as wait } from 'node:timers/promises'
import { REDACTION_RULES, redact, redactIn } from '@secretary-mcp/core/redact.ts'
import { type Kysely, sql } from 'kysely'
import { saidOf } from '../context/discoveries/likeness.ts'
import type { PackedDeed } from '../dialogs/deeds/kept-deed.ts'
import type { Database } from '../storage/database.ts'
import type { Tables } from '../storage/tables.ts'

type Row = Readonly<Record<string, unknown>>

interface Place {
  readonly table: keyof Tables
  readonly key: readonly string[]
  readonly texts?: readonly string[]
  /** JSON. */
  readonly values?: readonly string[]
  /** JSON of packed deeds: what is packed in them are no words. */
  readonly deeds?: readonly string[]
  /** What is made from a row that changed. */
  readonly made?: (row: Row) => Row
}

/** Everywhere that people's and agents' words are stored; what agents' files still hold is read from them. */
const PLACES: readonly Place[] = [
  { table: 'tasks', key: ['id'], texts: ['title', 'description'], values: ['labels', 'files'] },
  {
    table: 'discoveries',
    key: ['id'],
    texts: ['content'],
    made: ({ content }) => ({ said: saidOf(String(content)) }),
  },
  {
    table: 'shared_requests',
    key: ['space_id', 'user_id', 'session_id', 'position'],
    texts: ['request', 'answer', 'files'],
    deeds: ['deeds'],
  },
  { table: 'conversations', key: ['id'], texts: ['title'] },
  { table: 'messages', key: ['id'], texts: ['content'], values: ['pending'] },
  { table: 'guide_flags', key: ['scope', 'name'], values: ['value'] },
  { table: 'context_sessions', key: ['user_id', 'project', 'id'], values: ['topics'] },
  { table: 'dialogs', key: ['owner', 'key'], texts: ['title', 'first_request_preview'] },
  { table: 'audit_log', key: ['id'], texts: ['text'] },
  { table: 'calls', key: ['id'], texts: ['answer'], values: ['arguments'] },
]

/**
 * Takes out of the stored rows what today's rules take out of new ones, a few at a time. Where it was stopped it goes on from
 * there; where it has come to the end it asks nothing of the tables until the rules change.
 */
export async function redactStored(
  database: Database,
  signal: AbortSignal,
  batch = 200,
): Promise<void> {
  for (const place of PLACES)
    for (let isEnd = false; !isEnd && !signal.aborted; ) {
      const began = performance.now()
      isEnd = await database.use((db) => redactBatch(db, place, batch))
      const pauseMs = isEnd ? 0 : PAUSES * (performance.now() - began)
      await wait(pauseMs, undefined, { signal, ref: false }).catch(() => undefined)
    }
}

/** Calls come first: a million rows take minutes, of which it works a quarter. */
const PAUSES = 3

/** True where nothing is left. */
async function redactBatch(db: Kysely<Tables>, place: Place, batch: number): Promise<boolean> {
  const last = await lastOf(db, place.table)
  if (last === DONE) return true
  const { key: names, texts = [], values = [], deeds = [] } = place
  const columns = [...names, ...texts, ...values, ...deeds]
  const key = sql.join(place.key.map((name) => sql.ref(name)))
  const after = last ? sql`where (${key}) > (${sql.join(last)})` : sql``
  const { rows } = await sql<Row>`select ${sql.join(columns.map((name) => sql.ref(name)))}
    from ${sql.table(place.table)} ${after} order by ${key} limit ${batch}`.execute(db)
  for (const row of rows) await redactRow(db, place, row)
  const reached = rows.at(-1)
  const isEnd = rows.length < batch || !reached
  await remember(db, place.table, isEnd ? null : place.key.map((name) => reached[name]))
  return isEnd
}

async function redactRow(db: Kysely<Tables>, place: Place, row: Row): Promise<void> {
  const clean = {
    ...textsOf(place.texts, row, redact),
    ...textsOf(place.values, row, redactJson),
    ...textsOf(place.deeds, row, redactDeeds),
  }
  const changed = Object.keys(clean).filter((name) => clean[name] !== row[name])
  if (changed.length === 0) return
  const made = place.made?.({ ...row, ...clean }) ?? {}
  const sets = [...changed.map((name) => [name, clean[name]] as const), ...Object.entries(made)]
  const setting = sets.map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
  // Whoever changed it meanwhile has stored it by today's rules.
  const same = [...place.key, ...changed].map((name) => sql`${sql.ref(name)} = ${row[name]}`)
  await sql`update ${sql.table(place.table)} set ${sql.join(setting)}
    where ${sql.join(same, sql` and `)}`.execute(db)
}

function textsOf(
  names: readonly string[] = [],
  row: Row,
  clean: (text: string) => string,
): Record<string, unknown> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = row[name]
      return typeof text === 'string' ? [[name, clean(text)]] : []
    }),
  )
}

/** One that cannot be read is left to whoever reads it. */
function redactJson(text: string): string {
  try {
    return changedJson(text, redactIn)
  } catch {
    return redact(text)
  }
}

/** The prints of lines look random; they are left as they are. */
function redactDeeds(text: string): string {
  try {
    return changedJson<PackedDeed[]>(text, (deeds) =>
      deeds.map(({ lines, ...words }) => ({ ...redactIn(words), ...(lines ? { lines } : {}) })),
    )
  } catch {
    return '[]'
  }
}

function changedJson<T>(text: string, change: (value: T) => T): string {
  const value = JSON.parse(text) as T
  const before = JSON.stringify(value)
  const after = JSON.stringify(change(value))
  return after === before ? text : after
}

const DONE = 'done'

async function lastOf(
  db: Kysely<Tables>,
  name: string,
): Promise<unknown[] | typeof DONE | undefined> {
  const { rows } = await sql<{ rules: number; last: string | null }>`
    select rules, last from redactions where name = ${name}`.execute(db)
  const [mark] = rows
  if (mark?.rules !== REDACTION_RULES) return undefined
  return mark.last === null ? DONE : (JSON.parse(mark.last) as unknown[])
}

async function remember(db: Kysely<Tables>, name: string, last: unknown[] | null): Promise<void> {
  const text = last && JSON.stringify(last)
  await sql`insert into redactions (name, rules, last) values (${name}, ${REDACTION_RULES}, ${text})
    on conflict (name) do update set rules = excluded.rules, last = excluded.last`.execute(db)
}
