import type { Pool, PoolClient } from 'pg'
import { postgresFailure } from '../postgres-failure.ts'

/** Rows of one statement, as the caller knows them. */
export type Run = <Row>(sql: string, values?: readonly unknown[]) => Promise<Row[]>

export interface IndexConnection {
  readonly project: string
  readonly run: Run
  /** How many rows the project has in a table of terms, and their average length. Counted again when the revision has moved. */
  sizeOf(table: string): Promise<{ readonly rows: number; readonly average: number }>
  /** One transaction; moves the project's revision when it ends well. */
  write(change: (run: Run) => Promise<void>): Promise<void>
}

export function indexConnection(pool: Pool, project: string): IndexConnection {
  const run = runner(pool)
  const sizes = new Map<
    string,
    { readonly revision: string | undefined; readonly rows: number; readonly average: number }
  >()
  return {
    project,
    run,
    async sizeOf(table) {
      const [now] = await run<{ value: string }>(
        "select value from search_meta where project = $1 and key = 'revision'",
        [project],
      )
      const known = sizes.get(table)
      if (known && known.revision === now?.value) return known
      const [size] = await run<{ rows: number; average: number }>(
        `select count(*)::int as rows, coalesce(avg(length), 1)::float as average from ${table} where project = $1`,
        [project],
      )
      const counted = { revision: now?.value, rows: size?.rows ?? 0, average: size?.average ?? 1 }
      sizes.set(table, counted)
      return counted
    },
    async write(change) {
      const client = await connected(pool)
      try {
        await client.query('begin')
        await change(runner(client))
        await client.query(
          `insert into search_meta (project, key, value) values ($1, 'revision', '1')
           on conflict (project, key) do update set value = (search_meta.value::bigint + 1)::text`,
          [project],
        )
        await client.query('commit')
      } catch (error) {
        await client.query('rollback').catch(() => undefined)
        throw postgresFailure(error)
      } finally {
        client.release()
      }
    },
  }
}

/** What the engine throws comes out as a Failure in our own words. */
export function runner(client: Pool | PoolClient): Run {
  return async <Row>(sql: string, values: readonly unknown[] = []) => {
    try {
      return (await client.query(sql, [...values])).rows as Row[]
    } catch (error) {
      throw postgresFailure(error)
    }
  }
}

export async function connected(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw postgresFailure(error)
  }
}
