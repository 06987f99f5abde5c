/** A piece of a file that can be found on its own. Lines count from 1 and both ends belong to it. */
export interface Chunk {
  readonly line: number
  readonly endLine: number
  readonly kind: ChunkKind
  /** The names defined here, the most important first; a method carries its class: `Session.send`. */
  readonly symbols: readonly string[]
  /** What encloses it: the class of a method, the function of which this is a later part. */
  readonly scope: string
  readonly content: string
}

/** `type` is a class, interface, trait, struct or enum; `section` a heading with its text; `block` anything else. */
export type ChunkKind = 'function' | 'type' | 'section' | 'block'

/** Most of what an agent wants to read at once, and about what one vector can still stand for. */
export const MOST_CHUNK_CHARS = 1500
/** Neighbours smaller than this together share a chunk. */
export const FEW_CHUNK_CHARS = 600
