import type { StoredChunk } from '../context/search/index-store.ts'

/** A chunk as both engines keep it: its names one below the other. */
export interface ChunkRow extends Omit<StoredChunk, 'symbols'> {
  readonly symbols: string
}

export function chunkOf(row: ChunkRow): StoredChunk {
  return { ...row, symbols: row.symbols ? row.symbols.split('\n') : [] }
}
