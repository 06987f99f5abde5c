import type { Tracing } from '@secretary-mcp/core/tracing.ts'
import type { Logger } from 'kysely'
import type { Engine } from './database.ts'

const LONGEST_STATEMENT = 2_000
const SYSTEMS = { sqlite: 'sqlite', postgres: 'postgresql' } as const

/** The statement with its placeholders, never what they stand for. */
export function tracedQueries(engine: Engine, tracing: Tracing | undefined): Logger | undefined {
  if (!tracing) return undefined
  return (event) => {
    const statement = event.query.sql
    const operation = /^\W*(\w+)/.exec(statement)?.[1]?.toUpperCase() ?? 'QUERY'
    tracing.after(
      {
        name: operation,
        measure: 'db.client.operation.duration',
        attributes: {
          'db.system.name': SYSTEMS[engine],
          'db.operation.name': operation,
          'db.query.text': statement.slice(0, LONGEST_STATEMENT),
          'error.type': event.level === 'error' ? 'query_failed' : undefined,
        },
      },
      event.queryDurationMillis,
    )
  }
}
