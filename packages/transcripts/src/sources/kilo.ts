import { join } from 'node:path'
import type { OpenForeign } from '../foreign-database.ts'
import { dataRoot, type Places } from '../places.ts'
import type { Source } from '../source.ts'
import { opencodeRows } from './opencode.ts'

/** Kilo grew from opencode and keeps the same tables. */
export function kilo(places: Places, open: OpenForeign): Source {
  const path = join(dataRoot(places), 'kilo', 'kilo.db')
  return opencodeRows({ name: 'kilo', path, open, fits: (client) => /kilo/i.test(client) })
}
