import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { FileIndex } from '../index-store.ts'
import type { Write } from './sqlite-index-store.ts'

/** To count a term the full-text index reads every place it occurs in: those above this mark are counted ahead. */
const COMMON = 1_000

export function sqliteTermCounts(
  db: DatabaseSyncInstance,
  write: Write,
): Pick<FileIndex, 'frequencies' | 'countCommonTerms'> {
  const counted = db.prepare('SELECT chunks AS n FROM common_terms WHERE term = ?')
  const count = db.prepare('SELECT doc AS n FROM chunk_vocabulary WHERE term = ?')
  const frequency = (term: string) =>
    ((counted.get(term) ?? count.get(term)) as { n: number } | undefined)?.n ?? 0
  return {
    frequencies: async (terms) => new Map(terms.map((term) => [term, frequency(term)])),
    countCommonTerms: async () =>
      write(() =>
        db.exec(
          `DELETE FROM common_terms; INSERT INTO common_terms SELECT term, doc FROM chunk_vocabulary WHERE doc >= ${COMMON}`,
        ),
      ),
  }
}
