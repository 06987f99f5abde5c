// Takes the driver's place while a walk is counted: the same, and it notes each statement that runs.
import { createRequire } from 'node:module'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'

type Driver = new (...given: never[]) => DatabaseSyncInstance

const { DatabaseSync: Driver } = createRequire(import.meta.url)('@photostructure/sqlite') as {
  DatabaseSync: Driver
}

export const queries: string[] = []

export class DatabaseSync extends Driver {
  override prepare(...given: Parameters<DatabaseSyncInstance['prepare']>) {
    const statement = super.prepare(...given)
    for (const way of ['all', 'get', 'run', 'iterate'] as const) {
      const run = statement[way] as (...parameters: unknown[]) => unknown
      Object.defineProperty(statement, way, {
        value: (...parameters: unknown[]) => {
          queries.push(given[0])
          return run.apply(statement, parameters)
        },
      })
    }
    return statement
  }
}
