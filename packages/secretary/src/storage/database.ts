import { AsyncLocalStorage } from 'node:async_hooks'
import type { Tracing } from '@secretary-mcp/core/tracing.ts'
import type { Compilable, CompiledQuery, Kysely, LogEvent, Logger } from 'kysely'
import type * as z from 'zod'
import type { Tables } from './tables.ts'
import { TOPICS, type Topic, topicOfTable } from './topics.ts'

/** One notice stands for all that is written within this time. */
const GATHER_MS = 200
const LOOK_EVERY_MS = 500

const MAX_STATEMENT = 2_000
const SYSTEMS = { sqlite: 'sqlite', postgres: 'postgresql' } as const

const underWay = new AsyncLocalStorage<Set<Topic>>()

export type Engine = 'sqlite' | 'postgres'

/** A connection that opens itself on first use, so that a start costs nothing. */
export interface Database {
  readonly engine: Engine
  /** Rises when another database has taken the place of the one that was open: what is remembered of the old one no longer counts. */
  readonly generation: number
  /** Runs a query; what the engine throws comes out as a Failure in our own words. */
  use<T>(query: (db: Kysely<Tables>) => Promise<T>): Promise<T>
  /** Hears what this process has written. Returns the function that ends it. */
  onWrite(listener: (written: ReadonlySet<Topic>) => void): () => void
  close(): Promise<void>
}

interface Opener {
  readonly engine: Engine
  readonly open: () => Promise<Kysely<Tables>>
  readonly translate: (error: unknown) => Error
  /** Whether the file that was opened is no longer there: it is opened again, and work that still runs on the old one may finish. */
  readonly isReplaced?: () => boolean
}

export function lazyDatabase({
  engine,
  open,
  translate,
  isReplaced = () => false,
}: Opener): Database {
  let current: Connection | undefined
  let generation = 1
  const listeners = new Set<(written: ReadonlySet<Topic>) => void>()
  const tell = (written: ReadonlySet<Topic>) => {
    for (const listener of listeners) listener(written)
  }
  const connected = () => {
    if (current?.isOpen && isReplaced()) {
      retire(current)
      current = undefined
      generation++
    }
    current ??= connect()
    return current
  }
  const connect = () => {
    const connection: Connection = { opening: open(), isOpen: false, uses: 0 }
    connection.opening.then(
      () => {
        connection.isOpen = true
      },
      () => {
        // A database that was locked or down a moment ago may be there for the next call.
        if (current === connection) current = undefined
      },
    )
    return connection
  }
  return {
    engine,
    get generation() {
      return generation
    },
    async use(query) {
      const connection = connected()
      connection.uses++
      try {
        const db = await connection.opening
        return await tellingWhatIsWritten(() => query(db), tell)
      } catch (error) {
        throw translate(error)
      } finally {
        connection.uses--
        if (connection.uses === 0) connection.unused?.()
      }
    },
    onWrite(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      const db = await current?.opening.catch(() => undefined)
      current = undefined
      await db?.destroy()
    },
  }
}

interface Connection {
  readonly opening: Promise<Kysely<Tables>>
  isOpen: boolean
  uses: number
  /** Called when the last query has ended. */
  unused?: () => void
}

function retire(connection: Connection): void {
  const end = () => void connection.opening.then((db) => db.destroy()).catch(() => {})
  if (connection.uses === 0) end()
  else connection.unused = end
}

/** Stands for a value while a query is compiled. */
class Parameter {
  readonly name: PropertyKey

  constructor(name: PropertyKey) {
    this.name = name
  }
}

/** A query that is built and compiled once for each connection, since that takes longer than running it; only its parameters change. */
export function compiledOnce<P extends object, R>(
  build: (db: Kysely<Tables>, parameters: P) => Compilable<R>,
) {
  const marks = new Proxy({} as P, { get: (_, name) => new Parameter(name) })
  const compiled = new WeakMap<Kysely<Tables>, CompiledQuery<R>>()
  return async (db: Kysely<Tables>, values: P): Promise<R[]> => {
    const known = compiled.get(db) ?? build(db, marks).compile()
    compiled.set(db, known)
    const parameters = known.parameters.map((value) =>
      value instanceof Parameter ? values[value.name as keyof P] : value,
    )
    return (await db.executeQuery<R>({ ...known, parameters })).rows
  }
}

/** What a row keeps as JSON; undefined where it cannot be read, so that a damaged row costs that row alone. */
export function storedJson<T>(text: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** Each statement that ran: what it wrote is noted, and traced with its placeholders, never with what they stand for. */
export function loggedQueries(engine: Engine, tracing: Tracing | undefined): Logger {
  return (event) => {
    noteWritten(event)
    if (!tracing) return
    const statement = event.query.sql
    const operation = /^\W*(\w+)/.exec(statement)?.[1]?.toUpperCase() ?? 'QUERY'
    tracing.after(
      {
        name: operation,
        measure: 'db.client.operation.duration',
        attributes: {
          'db.system.name': SYSTEMS[engine],
          'db.operation.name': operation,
          'db.query.text': statement.slice(0, MAX_STATEMENT),
          'error.type': event.level === 'error' ? 'query_failed' : undefined,
        },
      },
      event.queryDurationMillis,
    )
  }
}

/** Runs work on the database. What it wrote is told once it is done, so that whoever asks then finds it. */
async function tellingWhatIsWritten<T>(
  work: () => Promise<T>,
  tell: (written: ReadonlySet<Topic>) => void,
): Promise<T> {
  const written = new Set<Topic>()
  const answer = await underWay.run(written, work)
  if (written.size > 0) tell(written)
  return answer
}

/** Takes note of a statement that ran. */
function noteWritten({ level, query }: LogEvent): void {
  if (level === 'error') return
  const [, table = ''] =
    /^(?:insert into|update|delete from|replace into) "?(\w+)/i.exec(query.sql) ?? []
  const topic = topicOfTable.get(table)
  if (topic) underWay.getStore()?.add(topic)
}

interface Page {
  readonly rows: number
  readonly limit: number
  readonly offset: number
}

/** How many there are in all. They are counted only where the page itself does not tell. */
export async function totalOf(
  { rows, limit, offset }: Page,
  count: () => Promise<{ readonly total: number }>,
): Promise<number> {
  if (rows < limit && (rows > 0 || offset === 0)) return offset + rows
  return Number((await count()).total)
}

type Written = ReadonlySet<Topic>

type Listener = (written: Written) => void

const everything: Written = new Set(TOPICS)

/**
 * Tells what was written to the database, by this process or by another: an agent's server on stdio writes to the same file.
 * Of another process's write to SQLite nothing is known but that it happened. Servers on PostgreSQL tell each other.
 */
export class Writes {
  readonly #database: Database
  readonly #publish: Listener
  readonly #listeners = new Set<Listener>()
  #gathered = new Set<Topic>()
  #notice?: NodeJS.Timeout
  #look?: NodeJS.Timeout
  #version?: number

  constructor(database: Database, publish: Listener = () => {}) {
    this.#database = database
    this.#publish = publish
    database.onWrite((written) => {
      for (const topic of written) this.#gathered.add(topic)
      this.#notice ??= setTimeout(() => this.#tellGathered(), GATHER_MS).unref()
    })
  }

  /** Returns the function that ends it. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    if (this.#listeners.size === 1 && this.#database.engine === 'sqlite') this.#lookAgain()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      clearTimeout(this.#look)
      this.#version = undefined
    }
  }

  /** Another server has written this, or there is no knowing what. */
  hear(topics?: readonly string[]): void {
    this.#tell(topics ? new Set(TOPICS.filter((topic) => topics.includes(topic))) : everything)
  }

  #tellGathered(): void {
    const gathered = this.#gathered
    this.#gathered = new Set()
    this.#notice = undefined
    this.#tell(gathered)
    this.#publish(gathered)
  }

  #tell(written: Written): void {
    for (const listener of this.#listeners) listener(written)
  }

  #lookAgain(): void {
    // A database that is away for a moment costs a look, not the feed.
    const looking = this.#lookForOthers().catch(() => {})
    void looking.then(() => {
      if (this.#listeners.size > 0)
        this.#look = setTimeout(() => this.#lookAgain(), LOOK_EVERY_MS).unref()
    })
  }

  /** The number changes when another connection has written to the file. */
  async #lookForOthers(): Promise<void> {
    const { sql } = await import('kysely')
    const { rows } = await this.#database.use((db) =>
      sql<{ data_version: number }>`pragma data_version`.execute(db),
    )
    const version = rows[0]?.data_version
    const before = this.#version
    this.#version = version
    if (before !== undefined && version !== before) this.#tell(everything)
  }
}
