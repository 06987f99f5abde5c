import { setTimeout as delay } from 'node:timers/promises'
import { Failure } from '@secretary-mcp/core/failure.ts'
import { isInBareRepository } from '@secretary-mcp/core/files/bare-repository.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import type { Chunker } from '../chunks/chunker.ts'
import type { Embedder } from '../embedder/embedder.ts'
import { keepHistory } from '../history/kept-history.ts'
import type { IndexStore } from '../index-store.ts'
import { type EmbedOptions, embedMissing } from './embed-missing.ts'
import { type FileUpdate, indexFiles } from './index-files.ts'
import type { IndexOptions, IndexProgress, IndexSummary } from './index-progress.ts'
import { knownFiles } from './known-files.ts'
import { prepareLarge } from './prepare-large.ts'
import { createProjectFilter } from './project-filter.ts'
import { withSmallHeap } from './small-heap.ts'
import { type FoundFile, foundFile, walk } from './walk.ts'

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
