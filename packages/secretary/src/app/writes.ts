import type { Database } from '../storage/database.ts'
import { TOPICS, type Topic } from '../storage/topics.ts'

type Written = ReadonlySet<Topic>
type Listener = (written: Written) => void

/** One notice stands for all that is written within this time. */
const GATHER_MS = 200
const LOOK_EVERY_MS = 500
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
