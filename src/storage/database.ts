import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

export type Engine = 'sqlite' | 'postgres'

/** A connection that opens itself on first use, so that a start costs nothing. */
export interface Database {
  readonly engine: Engine
  /** Runs a query; what the engine throws comes out as a Failure in our own words. */
  use<T>(query: (db: Kysely<Tables>) => Promise<T>): Promise<T>
  close(): Promise<void>
}

interface Opener {
  readonly engine: Engine
  readonly open: () => Promise<Kysely<Tables>>
  readonly translate: (error: unknown) => Error
}

export function lazyDatabase({ engine, open, translate }: Opener): Database {
  let opening: Promise<Kysely<Tables>> | undefined
  const connected = () => {
    opening ??= open().catch((error: unknown) => {
      // A database that was locked or down a moment ago may be there for the next call.
      opening = undefined
      throw error
    })
    return opening
  }
  return {
    engine,
    async use(query) {
      try {
        return await query(await connected())
      } catch (error) {
        throw translate(error)
      }
    },
    async close() {
      const db = await opening?.catch(() => undefined)
      opening = undefined
      await db?.destroy()
    },
  }
}
