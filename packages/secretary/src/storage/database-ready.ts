import { Failure } from '@secretary-mcp/core/failure.ts'
import { within } from '@secretary-mcp/core/within.ts'
import type { Database } from './database.ts'
import { tryWrite } from './database-health.ts'

const LONGEST_MS = 3_000

/** Why nothing could be stored now; undefined where all is well. A server whose version is too old is never ready. */
export async function whyNotReady(database: Database): Promise<string | undefined> {
  let problem: string | undefined = 'The database does not answer'
  const asking = database.use(async (db) => {
    const { refuseNewerSchema } = await import('./newer-schema.ts')
    await refuseNewerSchema(db)
    await tryWrite(db)
  })
  const seen = asking.then(
    () => {
      problem = undefined
    },
    (error: unknown) => {
      problem = error instanceof Failure ? error.message : 'The database failed'
    },
  )
  await within(LONGEST_MS, seen)
  return problem
}
