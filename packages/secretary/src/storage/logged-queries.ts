import type { Tracing } from '@secretary-mcp/core/tracing.ts'
import type { Logger } from 'kysely'
import type { Engine } from './database.ts'
import { noteWritten } from './topics.ts'

const LONGEST_STATEMENT = 2_000
const SYSTEMS = { sqlite: 'sqlite', postgres: 'postgresql' } as const

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
          'db.query.text': statement.slice(0, LONGEST_STATEMENT),
          'error.type': event.level === 'error' ? 'query_failed' : undefined,
        },
      },
      event.queryDurationMillis,
    )
  }
}
