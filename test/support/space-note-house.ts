import { silentLog } from '@secretary-mcp/core/log.ts'
import { createNoteReader } from '@secretary-mcp/search/note-reader.ts'
import {
  createSpaceNoteStore,
  VectorIndex,
} from '@secretary-mcp/secretary/context/space-notes/postgres/space-note-store.ts'
import { SpaceNotes } from '@secretary-mcp/secretary/context/space-notes/space-notes.ts'
import type { Database } from '@secretary-mcp/secretary/storage/database.ts'
import { bridges, embedder } from './search-engine-house.ts'

/** Notes of spaces as a server has them; beyond so many of a caller's the index of pgvector is asked, where there is one. */
export function spaceNotesIn(database: Database, mostScanned?: number) {
  const store = createSpaceNoteStore(database, new VectorIndex(mostScanned))
  const reader = createNoteReader(embedder, bridges)
  return {
    store,
    notes: new SpaceNotes({ open: async () => ({ store, reader }), log: silentLog }),
  }
}
