import { SpaceNotes } from '../context/space-notes/space-notes.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import type { Database } from '../storage/database.ts'
import { builtInBridges, builtInEmbedder } from './built-in-models.ts'

/**
 * Notes of spaces where PostgreSQL finds them; on SQLite they are in the index. Whatever reads a person's own notes, those of a space
 * are compared by the built-in vectors: all who share them have these.
 */
export function createSpaceNotes(database: Database, log: Log): SpaceNotes | undefined {
  if (database.engine !== 'postgres') return undefined
  let opened: ReturnType<typeof open> | undefined
  return new SpaceNotes({
    log,
    open: () => {
      opened ??= open(database)
      return opened
    },
  })
}

async function open(database: Database) {
  const [{ createSpaceNoteStore }, { createNoteReader }, embedder, bridges] = await Promise.all([
    import('../context/space-notes/postgres/space-note-store.ts'),
    import('@secretary-mcp/search/note-reader.ts'),
    builtInEmbedder(),
    builtInBridges(),
  ])
  return {
    store: createSpaceNoteStore(database),
    reader: createNoteReader(embedder, bridges),
  }
}
