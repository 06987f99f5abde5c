import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { readInside } from '@secretary-mcp/core/files/read-inside.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import type { Chunker } from '../chunks/chunker.ts'
import type { FileRecord, IndexedFile, IndexStore } from '../index-store.ts'
import { describeFile } from './describe-file.ts'
import { readableText } from './readable-text.ts'
import { type FoundFile, MOST_FILE_BYTES } from './walk.ts'

/** So many files are looked up in the store at a time: what it knows of a large project is never all in memory. */
const LOOKED_UP = 500
/** One transaction takes so many chunks: few enough to lose little when interrupted, many enough to cost little. */
const BATCH_CHUNKS = 500

export interface FileUpdate {
  indexed: number
  unchanged: number
  skipped: number
  chunks: number
  warnings: string[]
}

interface Parts {
  readonly root: string
  readonly store: IndexStore
  readonly chunker: Chunker
  readonly log: Log
  /** Called before anything is written. */
  onChange(): Promise<void>
}

/** Brings the given files up to date in the store: what has the same content is left alone. */
export async function indexFiles(
  { root, store, chunker, log, onChange }: Parts,
  files: readonly FoundFile[],
  onFile: (update: FileUpdate, filesDone: number) => void,
  signal?: AbortSignal,
): Promise<FileUpdate> {
  const update: FileUpdate = { indexed: 0, unchanged: 0, skipped: 0, chunks: 0, warnings: [] }
  let batch: IndexedFile[] = []
  let touched: FileRecord[] = []
  let known: ReadonlyMap<string, FileRecord> = new Map()
  const gone: string[] = []
  const realRoot = await realpath(root)

  for (const [done, file] of files.entries()) {
    signal?.throwIfAborted()
    if (done % LOOKED_UP === 0)
      known = await store.files(files.slice(done, done + LOOKED_UP).map(({ path }) => path))
    await indexOne(file)
    if (batch.reduce((sum, { chunks }) => sum + chunks.length, 0) >= BATCH_CHUNKS) await flush()
    onFile(update, done + 1)
  }
  await flush()
  if (gone.length > 0) await store.removeFiles(gone)
  return update

  async function indexOne(file: FoundFile): Promise<void> {
    const before = known.get(file.path)
    if (before && before.size === file.size && before.mtimeMs === file.mtimeMs) {
      update.unchanged++
      return
    }
    const bytes = readInside(realRoot, file.path, MOST_FILE_BYTES)
    const content = bytes ? readableText(file.path, bytes) : { leftOut: 'unreadable' }
    if (!bytes || 'leftOut' in content) {
      update.skipped++
      if (before) gone.push(file.path)
      return
    }
    const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
    if (before?.hash === hash) {
      update.unchanged++
      touched.push({ ...file, hash })
      return
    }
    await chunkOne(file, hash, content.text)
  }

  async function chunkOne(file: FoundFile, hash: string, text: string): Promise<void> {
    try {
      const described = describeFile(file, hash, await chunker.chunk(file.path, text))
      batch.push(described)
      update.indexed++
      update.chunks += described.chunks.length
    } catch (error) {
      log.warn({ path: file.path, error: String(error) }, 'a file could not be indexed')
      update.warnings.push(`${file.path}: could not be indexed`)
      update.skipped++
    }
  }

  async function flush(): Promise<void> {
    if (batch.length > 0) {
      await onChange()
      await store.putFiles(batch)
    }
    if (touched.length > 0) await store.touchFiles(touched)
    batch = []
    touched = []
    // Searches that came in meanwhile are answered between two batches.
    await nextTurn()
  }
}
