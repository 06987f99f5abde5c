import { type Kysely, sql } from 'kysely'
import type { SpaceNoteQuestion } from '../space-note-store.ts'
import type { Tables } from '../../../storage/tables.ts'
import { mayBeRead } from './note-filter.ts'
import type { WayToNear } from './notes-by-meaning.ts'

/** Up to so many notes, comparing all of them is quicker than searching an index for those that may be read. */
export const MOST_SCANNED = 60_000
const AGAIN_AFTER_MS = 300_000

/** Whether to ask the index of pgvector, if there is one: looked up now and then, because it only decides which way is quicker. */
export class VectorIndex {
  readonly #mostScanned: number
  readonly #known = new Map<string, { readonly way: WayToNear; readonly atMs: number }>()

  constructor(mostScanned = MOST_SCANNED) {
    this.#mostScanned = mostScanned
  }

  async wayFor(db: Kysely<Tables>, { user, projects }: SpaceNoteQuestion): Promise<WayToNear> {
    const key = JSON.stringify([user, projects])
    const known = this.#known.get(key)
    if (known && performance.now() - known.atMs < AGAIN_AFTER_MS) return known.way
    const isLarge = await this.#isLarge(db, user, projects)
    const way = !isLarge ? 'scan' : (await isThere(db)) ? 'index' : 'wide scan'
    this.#known.set(key, { way, atMs: performance.now() })
    return way
  }

  async #isLarge(db: Kysely<Tables>, user: string, projects: readonly string[]): Promise<boolean> {
    const { rows } = await sql<{ total: number }>`
      select count(*) as total from (
        select 1 from shared_notes where ${mayBeRead(user)} and project in (${sql.join(projects)})
        limit ${sql.lit(this.#mostScanned + 1)}) counted`.execute(db)
    return Number(rows[0]?.total ?? 0) > this.#mostScanned
  }
}

async function isThere(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ version: string }>`
    select extversion as version from pg_extension, pg_index
    where extname = 'vector' and indisvalid and indexrelid = to_regclass('shared_notes_by_signs')`.execute(
    db,
  )
  const [major = 0, minor = 0] = (rows[0]?.version ?? '').split('.').map(Number)
  return major > 0 || minor >= 8
}
