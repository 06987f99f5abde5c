import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import v8 from 'node:v8'
import { Failure } from '@secretary-mcp/core/failure.ts'
import { hidePrivateKeys, isPrivateKeyFile } from '@secretary-mcp/core/files/private-keys.ts'
import { readInside } from '@secretary-mcp/core/files/read-inside.ts'
import { isInBareRepository } from '@secretary-mcp/core/files/repository.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import type { Chunker } from '../chunks/chunker.ts'
import { type Embedder, quantise } from '../embedder/embedder.ts'
import { keepHistory } from '../history/history.ts'
import {
  type FileRecord,
  type IndexedFile,
  type IndexStore,
  knownFiles,
  type VectorOwner,
} from '../index-store.ts'
import { foldSigns, MAX_EXACT } from '../vectors/chunk-vectors.ts'
import { describeFile } from './describe-file.ts'
import {
  createProjectFilter,
  type FoundFile,
  foundFile,
  MAX_FILE_BYTES,
  walk,
} from './project-files.ts'

const BATCH = 64
const OWNERS: readonly VectorOwner[] = ['file', 'chunk', 'note']

export interface IndexOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: IndexProgress) => void
}

export interface IndexProgress {
  readonly filesDone: number
  readonly filesTotal: number
  readonly chunks: number
  readonly chunksPerSecond: number
  readonly secondsLeft: number
}

export interface IndexSummary {
  readonly filesIndexed: number
  readonly filesUnchanged: number
  readonly filesRemoved: number
  /** Binary, generated, minified or unreadable. */
  readonly filesSkipped: number
  readonly chunks: number
  readonly seconds: number
  readonly warnings: readonly string[]
}

const LONG_LINE = 2000
const LONG_AVERAGE = 300
const MAX_DATA_CHARS = 60_000
const DATA_FILE = /\.(json|jsonc|ya?ml|xml|html?|txt|toml|ini|properties)$/i
const GENERATED_MARK =
  /@generated\b|code generated .{0,80}do not edit|auto-?generated (file|by|from|code)|this file (was|is) (automatically|auto-?)\s*generated/i
/** So many files are looked up in the store at a time: what it knows of a large project is never all in memory. */
const LOOKED_UP = 500
/** One transaction takes so many chunks: few enough to lose little when interrupted, many enough to cost little. */
const BATCH_CHUNKS = 500

/** How many chunks there were when common terms were last counted. */
const COUNTED = 'common terms counted at'
const LITTLE = 0.02

/** How much the heap may grow, in percent of what is alive, before it is collected. */
const GROWTH = 50
const AS_USUAL = 0

export interface IndexerParts {
  readonly root: string
  readonly store: IndexStore
  readonly chunker: Chunker
  readonly embedder: Embedder
  readonly noteEmbedder?: Embedder
  readonly pid: number
  readonly log: Log
}

/** When a run last came to its end; not there while a first run is under way. */
export const COMPLETED = 'completed'
/** Why the last run did not come to its end, or what it had to leave undone. */
export const PROBLEM = 'problem'
/** Set before a run first changes something, since a full disk or a lost process leaves no time for it later. */
export const UNFINISHED = 'unfinished'
export const INTERRUPTED = 'the last run did not finish'
/** A holder that has been silent for so long is taken for dead. */
export const LOCK_STALE_MS = 10_000
const NO_VECTORS = 'the embedding service failed, so search matches words only'
const NO_NOTE_VECTORS =
  'the installed model for notes failed, so notes are found by their words only'
const HEARTBEAT_MS = 2_000
const WAIT_MS = 200
const PROGRESS_MS = 100

type RunOptions = IndexOptions & { readonly paths?: readonly string[] }

/** The whole project, or only the given paths of it. */
export async function runIndex(parts: IndexerParts, options: RunOptions): Promise<IndexSummary> {
  const { store, pid } = parts
  const { signal } = options
  await lock(parts, signal)
  const heartbeat = setInterval(
    () => void store.acquireLock(pid, Date.now(), LOCK_STALE_MS).catch(() => undefined),
    HEARTBEAT_MS,
  )
  try {
    if (options.paths) return await bringUpToDate(parts, options)
    return await withSmallHeap(() => bringUpToDate(parts, options))
  } catch (error) {
    // On a full disk not even this can be kept; whoever started the run is told in any case.
    if (!signal?.aborted) await store.setMark(PROBLEM, reasonOf(error)).catch(() => undefined)
    throw error
  } finally {
    clearInterval(heartbeat)
    // The first error is what counts: a lock that cannot be given back goes stale by itself.
    await store.releaseLock(pid).catch(() => undefined)
  }
}

async function bringUpToDate(
  parts: IndexerParts,
  { signal, onProgress, paths }: RunOptions,
): Promise<IndexSummary> {
  const { root, store } = parts
  const started = performance.now()
  const filter = createProjectFilter(root)
  const found = paths ? await only(root, paths) : await walk(root, filter, signal)
  const report = reporter(found.length, onProgress)
  // A first run is known by what it has not completed yet.
  let isMarked = paths !== undefined || (await store.mark(COMPLETED)) === undefined
  const onChange = async () => {
    if (!isMarked) await store.setMark(UNFINISHED, new Date().toISOString())
    isMarked = true
  }
  const update = await indexFiles({ ...parts, onChange }, found, report, signal)
  const present = new Set(found.map((file) => file.path))
  const removed = await gone(store, present, paths)
  if (removed.length > 0) {
    await onChange()
    await store.removeFiles(removed)
  }
  const problem = await embed(parts, update, { signal, newOnly: paths !== undefined })
  if (!paths) await prepareLarge(parts, update.indexed + removed.length > 0, signal)
  if (!paths) await keepHistory(parts, present, signal)
  if (!paths) await store.setMark(COMPLETED, new Date().toISOString())
  if (!paths || problem) await store.setMark(PROBLEM, problem)
  if (!paths) await store.setMark(UNFINISHED, undefined)
  return summary(update, removed.length, performance.now() - started)
}

async function embed(
  { store, embedder, noteEmbedder, log }: IndexerParts,
  update: FileUpdate,
  options: EmbedOptions,
): Promise<string | undefined> {
  let problem = NO_VECTORS
  try {
    if (noteEmbedder) {
      await embedMissing(store, embedder, { ...options, owners: ['file', 'chunk'] })
      problem = NO_NOTE_VECTORS
      await embedMissing(store, noteEmbedder, { ...options, owners: ['note'] })
    } else await embedMissing(store, embedder, options)
  } catch (error) {
    options.signal?.throwIfAborted()
    // Search still answers by words; the next run tries again.
    log.warn({ error: String(error) }, 'vectors could not be made')
    update.warnings.push(problem)
    return problem
  }
  if (options.newOnly) return undefined
  // Everything has its vector now: those of former models have nothing left to answer.
  for (const modelId of (await store.vectorCounts()).keys())
    if (modelId !== embedder.id && modelId !== noteEmbedder?.id) await store.dropModel(modelId)
  return undefined
}

/** Why a run failed, in words that may be shown. */
export function reasonOf(error: unknown): string {
  return error instanceof Failure ? error.message : 'the last run failed; see the log'
}

async function only(root: string, paths: readonly string[]): Promise<FoundFile[]> {
  const shown = paths.filter((path) => !isInBareRepository(root, path))
  const found = await Promise.all(shown.map((path) => foundFile(root, path)))
  return found.filter((file) => file !== undefined)
}

/** What the store knows, of the whole project or of the given paths, and is there no more. */
async function gone(
  store: IndexStore,
  present: ReadonlySet<string>,
  paths?: readonly string[],
): Promise<string[]> {
  if (paths) return [...(await store.files(paths)).keys()].filter((path) => !present.has(path))
  const removed: string[] = []
  for await (const { path } of knownFiles(store)) if (!present.has(path)) removed.push(path)
  return removed
}

/** Waits its turn: one process indexes, the others then find little left to do. */
async function lock({ store, pid }: IndexerParts, signal?: AbortSignal): Promise<void> {
  for (;;) {
    signal?.throwIfAborted()
    const holder = await store.acquireLock(pid, Date.now(), LOCK_STALE_MS)
    if (holder === pid) return
    if (!isAlive(holder)) await store.releaseLock(holder)
    else await delay(WAIT_MS, undefined, { signal })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}

function reporter(filesTotal: number, onProgress: ((progress: IndexProgress) => void) | undefined) {
  const started = performance.now()
  let last = 0
  return ({ chunks }: FileUpdate, filesDone: number) => {
    const now = performance.now()
    if (!onProgress || (now - last < PROGRESS_MS && filesDone < filesTotal)) return
    last = now
    const seconds = Math.max((now - started) / 1000, 0.001)
    onProgress({
      filesDone,
      filesTotal,
      chunks,
      chunksPerSecond: chunks / seconds,
      secondsLeft: (seconds / filesDone) * (filesTotal - filesDone),
    })
  }
}

function summary(update: FileUpdate, removed: number, ms: number): IndexSummary {
  return {
    filesIndexed: update.indexed,
    filesUnchanged: update.unchanged,
    filesRemoved: removed,
    filesSkipped: update.skipped,
    chunks: update.chunks,
    seconds: ms / 1000,
    warnings: update.warnings,
  }
}

let running = 0

/**
 * An indexing run makes garbage without end beside a list of all files, and where there is much memory the engine lets the heap
 * grow to four times of what is alive before it looks for garbage: at a million chunks that was half of the peak.
 */
export async function withSmallHeap<T>(work: () => Promise<T>): Promise<T> {
  if (++running === 1) v8.setFlagsFromString(`--heap-growing-percent=${GROWTH}`)
  try {
    return await work()
  } finally {
    if (--running === 0) v8.setFlagsFromString(`--heap-growing-percent=${AS_USUAL}`)
  }
}

/** What makes a search in a large project quick, and is not worth keeping up to date with every change. */
async function prepareLarge(
  { store, embedder }: { readonly store: IndexStore; readonly embedder: Embedder },
  hasChanged: boolean,
  signal?: AbortSignal,
): Promise<void> {
  const { chunks } = await store.counts()
  const counted = Number((await store.mark(COUNTED)) ?? 0)
  if (hasChanged || Math.abs(chunks - counted) > chunks * LITTLE) {
    await store.countCommonTerms()
    await store.setMark(COUNTED, String(chunks))
  }
  if (chunks <= MAX_EXACT) return
  await foldSigns(store, embedder.id)
  await store.scoreCommonTerms(signal)
}

interface FileUpdate {
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
async function indexFiles(
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
    const bytes = readInside(realRoot, file.path, MAX_FILE_BYTES)
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

/** The text of a file when a person could have written it; otherwise why it is left out. */
export function readableText(
  path: string,
  bytes: Buffer,
): { readonly text: string } | { readonly leftOut: string } {
  if (bytes.subarray(0, 8000).includes(0)) return { leftOut: 'binary' }
  const text = bytes.toString('utf8')
  if (DATA_FILE.test(path) && text.length > MAX_DATA_CHARS) return { leftOut: 'data' }
  if (GENERATED_MARK.test(text.slice(0, 600))) return { leftOut: 'generated' }
  if (isPrivateKeyFile(text)) return { leftOut: 'private key' }
  return isMinified(text) ? { leftOut: 'minified' } : { text: hidePrivateKeys(text) }
}

function isMinified(text: string): boolean {
  if (text.length < LONG_LINE) return false
  const lines = text.split('\n')
  return (
    text.length / lines.length > LONG_AVERAGE ||
    (lines.length < 20 && lines.some((line) => line.length > LONG_LINE))
  )
}

interface EmbedOptions {
  readonly signal?: AbortSignal
  readonly owners?: readonly VectorOwner[]
  /** Look only above the last id that has a vector: enough after a small change, because ids rise and vectors are made in their order. */
  readonly newOnly?: boolean
}

/** Gives a vector of this model to everything that has none; what was done before an interruption stays done. */
export async function embedMissing(
  store: IndexStore,
  embedder: Embedder,
  options: EmbedOptions = {},
): Promise<number> {
  const { signal, owners = OWNERS, newOnly = false } = options
  if (!newOnly && (await hasAll(store, embedder, owners))) return 0
  let done = 0
  for (const owner of owners) {
    for (let last = newOnly ? await store.lastVectorId(embedder.id, owner) : 0; ; ) {
      signal?.throwIfAborted()
      const missing = await store.withoutVector(embedder.id, owner, last, BATCH)
      if (missing.length === 0) break
      const vectors = await embedder.embed(
        missing.map(({ text }) => text),
        signal,
      )
      await store.putVectors(
        embedder.id,
        owner,
        missing.map(({ id }, i) => ({
          id,
          vector: quantise(vectors[i] ?? new Float32Array(embedder.dimension)),
        })),
      )
      done += missing.length
      last = missing.at(-1)?.id ?? last
      // Searches that came in meanwhile are answered between two batches.
      await nextTurn()
    }
  }
  return done
}

/** To look for what is missing among a million texts takes seconds, to compare two counts nothing. */
async function hasAll(
  store: IndexStore,
  { id }: Embedder,
  owners: readonly VectorOwner[],
): Promise<boolean> {
  const { files, chunks, notes } = await store.counts()
  const wanted = { file: files, chunk: chunks, note: notes }
  const total = owners.reduce((sum, owner) => sum + wanted[owner], 0)
  return ((await store.vectorCounts()).get(id) ?? 0) === total
}
