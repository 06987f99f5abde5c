import type { Pool } from 'pg'
import type { VectorCache } from '../../../context/embedder/vector-cache.ts'
import type { IndexStore } from '../../../context/search/index-store.ts'
import type { Log } from '../../../core/log.ts'
import { openPool } from '../open-pool.ts'
import { connected, indexConnection, type Run, runner } from './connection.ts'
import { postgresFileIndex } from './file-index.ts'
import { postgresIndexLock } from './index-lock.ts'
import { DROP_INDEX, INDEX_SCHEMA, INDEX_VERSION } from './index-schema.ts'
import { postgresNoteIndex } from './note-index.ts'
import { postgresVectorCache, postgresVectorIndex } from './vector-index.ts'

export interface PostgresIndexOptions {
  readonly url: string
  /** Keeps the projects of one database apart. */
  readonly project: string
  readonly host: string
  readonly log: Log
}

const CONNECTIONS = 4
/** Any number will do, as long as nothing else in the database locks by it. */
const SCHEMA_LOCK = 7_302_441

export async function openPostgresIndexStore(
  options: PostgresIndexOptions,
): Promise<IndexStore & { readonly vectorCache: VectorCache }> {
  const pool = openPool({ connectionString: options.url, max: CONNECTIONS }, options.log)
  await ensureSchema(pool).catch(async (error: unknown) => {
    await pool.end()
    throw error
  })
  const connection = indexConnection(pool, options.project)
  const { run, project } = connection
  const meta = async (key: string) =>
    (
      await run<{ value: string }>(
        'select value from search_meta where project = $1 and key = $2',
        [project, key],
      )
    )[0]?.value
  return {
    ...postgresFileIndex(connection),
    ...postgresNoteIndex(connection),
    ...postgresVectorIndex(connection),
    ...postgresIndexLock(connection, options.host),
    vectorCache: postgresVectorCache(connection),
    async counts() {
      const [row] = await run<{ files: number; chunks: number; notes: number }>(
        `select (select count(*)::int from search_files where project = $1) as files, (select count(*)::int from search_chunks where project = $1) as chunks,
           (select count(*)::int from search_notes where project = $1) as notes`,
        [project],
      )
      return row ?? { files: 0, chunks: 0, notes: 0 }
    },
    revision: async () => Number((await meta('revision')) ?? 0),
    mark: (name) => meta(`mark ${name}`),
    async setMark(name, value) {
      await run(
        'insert into search_meta (project, key, value) values ($1, $2, $3) on conflict (project, key) do update set value = excluded.value',
        [project, `mark ${name}`, value],
      )
    },
    isPrivate: false,
    close: () => pool.end(),
  }
}

/** Of servers that start at once one makes the tables and the others wait for it. */
async function ensureSchema(pool: Pool): Promise<void> {
  const client = await connected(pool)
  const run = runner(client)
  try {
    await run('begin')
    await run('select pg_advisory_xact_lock($1)', [SCHEMA_LOCK])
    if ((await installedVersion(run)) !== INDEX_VERSION) {
      await run(DROP_INDEX)
      await run(INDEX_SCHEMA)
      await run("insert into search_meta (project, key, value) values ('', 'version', $1)", [
        String(INDEX_VERSION),
      ])
    }
    await run('commit')
  } catch (error) {
    await run('rollback').catch(() => undefined)
    throw error
  } finally {
    client.release()
  }
}

async function installedVersion(run: Run): Promise<number | undefined> {
  const [table] = await run<{ name: string | null }>(
    "select to_regclass('search_meta')::text as name",
  )
  if (!table?.name) return undefined
  const [row] = await run<{ value: string }>(
    "select value from search_meta where project = '' and key = 'version'",
  )
  return row && Number(row.value)
}
