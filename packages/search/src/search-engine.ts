import { realpath } from 'node:fs/promises'
import { posix } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { readInside } from '@secretary-mcp/core/files/read-inside.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import type { Chunker } from './chunks/chunker.ts'
import type { Embedder } from './embedder/embedder.ts'
import { type FileRecord, type IndexStore, knownFiles } from './index-store.ts'
import { describeFile } from './indexer/describe-file.ts'
import {
  COMPLETED,
  embedMissing,
  INTERRUPTED,
  type IndexerParts,
  type IndexOptions,
  type IndexSummary,
  LOCK_STALE_MS,
  PROBLEM,
  reasonOf,
  runIndex,
  UNFINISHED,
} from './indexer/index-run.ts'
import { watchProject } from './indexer/watch-project.ts'
import type { Bridges } from './languages/bridge.ts'
import { noteTerms } from './languages/foreign-words.ts'
import { fileRoles } from './ranking/file-role.ts'
import { createProjectMemory, type ProjectMemory } from './ranking/project-memory.ts'
import { searchAll } from './ranking/search-all.ts'
import type { IndexState, Note, SearchAnswer, SearchRequest } from './search-types.ts'
import { languageOf } from './syntax/languages.ts'
import { wholeTerm } from './text/index-terms.ts'

/** A grammar takes some megabytes: the rarer languages of a project wait until one of their files changes. */
const LANGUAGES = 2
const MAX_BYTES_SIZE = 64_000

const MAX_HITS = 200

const NOTE_WAIT_MS = 1_000

/** One project's search: code, discoveries and dialogs in one ranked list. */
export interface SearchEngine {
  /**
   * Brings the index up to date; only what changed is redone. Resumes after an interruption. Waits when another process indexes.
   * `aside` leaves this thread free meanwhile, where that can be had.
   */
  index(options?: IndexOptions & { readonly aside?: boolean }): Promise<IndexSummary>
  /** Keeps the index up to date until closed, beginning with what changed before. */
  watch(options?: {
    readonly onIndexed?: (summary: IndexSummary) => void
  }): Promise<{ close(): Promise<void> }>
  /** Where names are defined, with the line that does it; names that several files define are left out. */
  define(names: readonly string[]): Promise<Definition[]>
  /** Paths that hold all of these parts, those with them in their name first. */
  filesNamed(parts: readonly string[], limit: number): Promise<string[]>
  /** Whether a file is a test, by its path. */
  isTest(path: string): boolean
  /** Answers from what is indexed at this moment, by words alone when vectors are not there yet. */
  search(request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer>
  putNotes(notes: readonly Note[], signal?: AbortSignal): Promise<void>
  removeNotes(scope: string, ids: readonly string[]): Promise<void>
  /** Of those whose ids begin so. */
  noteIdsUnder(scope: string, prefix: string): Promise<string[]>
  removeNotesUnder(scope: string, prefix: string): Promise<void>
  /** Up to which change a user's dialogs have become notes; 0 at first, and again when the index was lost. */
  readUntil(user: string): Promise<number>
  setReadUntil(user: string, change: number): Promise<void>
  /** Of a reading that was interrupted: what it has read, each with the state in which it was read. */
  readSoFar(user: string): Promise<Map<string, string>>
  setReadSoFar(user: string, read: ReadonlyMap<string, string>): Promise<void>
  status(): Promise<IndexStatus>
  close(): Promise<void>
}

export interface IndexStatus {
  readonly state: IndexState
  readonly files: number
  readonly chunks: number
  readonly notes: number
  readonly embedder: string
  /** Where notes have one of their own. */
  readonly noteEmbedder?: string
  readonly noteEmbedderProblem?: string
  /** Of all files, chunks and notes, the share from 0 to 1 that has a vector of this embedder. */
  readonly embedded: number
  /** Why the last run did not come to its end, or what it had to leave undone. */
  readonly problem?: string
  /** It could not be written to disk, and ends with this process. */
  readonly isInMemory: boolean
  /** Of the process that indexes at this moment. */
  readonly indexingPid?: number
}

export interface SearchEngineParts {
  readonly root: string
  readonly store: IndexStore
  readonly chunker: Chunker
  readonly embedder: Embedder
  /** Embedders used before: their vectors answer until the current one has more. */
  readonly formerEmbedders?: readonly Embedder[]
  /** For notes alone, where one reads them better than the embedder for code. */
  readonly noteEmbedder?: Embedder
  /** Why there is none although there should be. */
  readonly noteEmbedderProblem?: string
  /** For questions in other languages; without them only words of the same language are found. */
  readonly bridges?: Bridges
  /** As Node names it; code written for other platforms ranks lower. */
  readonly platform: string
  readonly pid: number
  readonly log: Log
  /** Does a whole run in another thread. */
  readonly indexAside?: (options: IndexOptions) => Promise<IndexSummary>
}

/** Raised when turns become other notes than before: every dialog is then read once more, without indexing the code again. */
const TURN_FORM = 2
const untilMark = (user: string) => `form ${TURN_FORM} read until ${user}`
const soFarMark = (user: string) => `form ${TURN_FORM} read so far ${user}`

function readPairs(text: string | undefined): Map<string, string> {
  try {
    return new Map(JSON.parse(text ?? '[]') as [string, string][])
  } catch {
    return new Map()
  }
}

export function createSearchEngine(parts: SearchEngineParts): SearchEngine {
  const { store, embedder } = parts
  const memory = createProjectMemory(
    store,
    [embedder, ...(parts.formerEmbedders ?? [])],
    parts.platform,
    parts.noteEmbedder,
  )
  let running: Promise<unknown> = Promise.resolve()
  /** On a full disk not even the reason can be stored. */
  let failed: string | undefined
  let embedding: Promise<unknown> = Promise.resolve()
  const ending = new AbortController()
  const watchers = new Set<{ close(): Promise<void> }>()

  /** Runs of one process come one after the other: the lock only keeps processes apart. */
  function run(
    work: () => Promise<IndexSummary>,
    { isWhole, signal }: { readonly isWhole: boolean; readonly signal?: AbortSignal },
  ): Promise<IndexSummary> {
    const next = running.then(work)
    running = next.then(
      () => {
        if (isWhole) failed = undefined
      },
      (error: unknown) => {
        if (!signal?.aborted) failed = reasonOf(error)
      },
    )
    return next
  }

  /** Why the index may lack something that it should have. */
  async function problemNow(): Promise<string | undefined> {
    const kept = (await store.mark(PROBLEM)) ?? failed
    if (kept !== undefined || (await store.mark(UNFINISHED)) === undefined) return kept
    const isRunning = (await store.lockHolder(Date.now(), LOCK_STALE_MS)) !== undefined
    return isRunning ? undefined : INTERRUPTED
  }

  /** A few files are quicker done here than in a thread that would have to start first. */
  function update(paths: readonly string[] | undefined): Promise<IndexSummary> {
    return paths || !parts.indexAside ? runIndex(parts, { paths }) : parts.indexAside({})
  }

  /** Words find a note at once; a service that is slow or fails gives it a vector later. */
  async function embedNotes(signal?: AbortSignal): Promise<void> {
    const stop = signal ? AbortSignal.any([signal, ending.signal]) : ending.signal
    const wanted = { signal: stop, owners: ['note' as const], newOnly: true }
    embedding = embedding
      .then(() => embedMissing(store, parts.noteEmbedder ?? embedder, wanted))
      .then(undefined, (error: unknown) => {
        if (!stop.aborted) parts.log.warn({ error: String(error) }, 'notes have no vectors yet')
      })
    const patience = new AbortController()
    const wait = delay(NOTE_WAIT_MS, undefined, { signal: patience.signal, ref: false })
    await Promise.race([embedding, wait.catch(() => undefined)])
    patience.abort()
    signal?.throwIfAborted()
  }

  async function state(): Promise<IndexState> {
    if (await store.mark(COMPLETED)) return 'ready'
    const { files, notes } = await store.counts()
    const isBegun =
      files + notes > 0 || (await store.lockHolder(Date.now(), LOCK_STALE_MS)) !== undefined
    return isBegun ? 'building' : 'empty'
  }

  return {
    index: ({ aside = false, ...options } = {}) =>
      run(
        () => (aside && parts.indexAside ? parts.indexAside(options) : runIndex(parts, options)),
        {
          isWhole: true,
          signal: options.signal,
        },
      ),
    async watch({ onIndexed } = {}) {
      const onChange = async (paths: readonly string[] | undefined) => {
        const summary = await run(() => update(paths), { isWhole: paths === undefined })
        if (summary.filesIndexed + summary.filesRemoved > 0) onIndexed?.(summary)
      }
      const watcher = await watchProject(parts.root, onChange, parts.log)
      watchers.add(watcher)
      // What changed before the watcher was there, nobody told.
      onChange(undefined)
        .then(() => warmUpIndexing(parts))
        .catch((error: unknown) => {
          parts.log.warn(
            { error: String(error) },
            'watching started, but preparing for the first change failed',
          )
          watcher.lookAgain()
        })
      return watcher
    },
    async search(request, signal) {
      await memory.refresh()
      signal?.throwIfAborted()
      const found = await searchAll(request, store, memory, parts.bridges, signal)
      return { ...found, state: await state(), problem: await problemNow() }
    },
    async define(names) {
      await memory.refresh()
      return definitionsOf(names, store, memory)
    },
    async filesNamed(wanted, limit) {
      await memory.refresh()
      return filesNamed(memory.files.values(), wanted, limit)
    },
    isTest: (path) => fileRoles(path, parts.platform).includes('test'),
    async putNotes(notes, signal) {
      await store.putNotes(
        notes.map((note) => ({
          ...note,
          terms: noteTerms(note.content).join(' '),
          neighbourTerms: noteTerms(note.neighbours ?? '').join(' '),
        })),
      )
      await embedNotes(signal)
    },
    removeNotes: (scope, ids) => store.removeNotes(scope, ids),
    noteIdsUnder: (scope, prefix) => store.noteIdsUnder(scope, prefix),
    removeNotesUnder: async (scope, prefix) =>
      store.removeNotes(scope, await store.noteIdsUnder(scope, prefix)),
    readUntil: async (user) => Number((await store.mark(untilMark(user))) ?? 0),
    setReadUntil: (user, change) => store.setMark(untilMark(user), String(change)),
    readSoFar: async (user) => readPairs(await store.mark(soFarMark(user))),
    setReadSoFar: (user, read) =>
      store.setMark(soFarMark(user), read.size > 0 ? JSON.stringify([...read]) : undefined),
    async status() {
      const counts = await store.counts()
      const total = counts.files + counts.chunks + counts.notes
      const made = await store.vectorCounts()
      const ofNotes = parts.noteEmbedder ? (made.get(parts.noteEmbedder.id) ?? 0) : 0
      const vectors = (made.get(embedder.id) ?? 0) + ofNotes
      const indexingPid = await store.lockHolder(Date.now(), LOCK_STALE_MS)
      return {
        state: await state(),
        ...counts,
        embedder: embedder.id,
        noteEmbedder: parts.noteEmbedder?.id,
        noteEmbedderProblem: parts.noteEmbedderProblem,
        embedded: total > 0 ? Math.min(vectors / total, 1) : 0,
        problem: await problemNow(),
        isInMemory: store.isPrivate,
        indexingPid,
      }
    },
    async close() {
      ending.abort()
      await Promise.all([...watchers].map((watcher) => watcher.close()))
      await running
      await embedding
      await store.close()
    },
  }
}

/** Paths that hold all of these parts: those that have the last of them in their name first, then the shorter ones. */
function filesNamed(
  files: Iterable<{ readonly path: string }>,
  parts: readonly string[],
  limit: number,
): string[] {
  const wanted = parts.map((part) => part.toLowerCase()).filter((part) => part !== '')
  if (wanted.length === 0) return []
  const last = wanted.at(-1) ?? ''
  const found: { path: string; isNamed: boolean }[] = []
  for (const { path } of files) {
    const lower = path.toLowerCase()
    if (wanted.every((part) => lower.includes(part)))
      found.push({ path, isNamed: posix.basename(lower).includes(last) })
  }
  return found
    .sort((a, b) => Number(b.isNamed) - Number(a.isNamed) || a.path.length - b.path.length)
    .slice(0, limit)
    .map(({ path }) => path)
}

interface Definition {
  readonly name: string
  readonly file: string
  readonly line: number
  readonly text: string
}

/** The line that defines each name, where one file of the project alone does. */
async function definitionsOf(
  names: readonly string[],
  store: IndexStore,
  memory: ProjectMemory,
): Promise<Definition[]> {
  const wanted = new Set(names)
  const terms = [...new Set(names.map(wholeTerm))]
  const hits = (await store.findDefinitions(terms, MAX_HITS)).filter(({ name }) => wanted.has(name))
  const single = hits.filter(
    ({ name, fileId }, at) =>
      hits.every((other) => other.name !== name || other.fileId === fileId) &&
      hits.findIndex((other) => other.name === name) === at,
  )
  const chunks = new Map(
    (await store.chunks(single.map(({ chunkId }) => chunkId))).map((chunk) => [chunk.id, chunk]),
  )
  return single.flatMap(({ name, chunkId, fileId }) => {
    const chunk = chunks.get(chunkId)
    const lines = chunk?.content.split('\n') ?? []
    const at = lines.findIndex((line) => new RegExp(`\\b${escaped(name)}\\b`).test(line))
    const file = memory.files.get(fileId)?.path
    return chunk && file && at >= 0
      ? [{ name, file, line: chunk.line + at, text: (lines[at] ?? '').trim() }]
      : []
  })
}

function escaped(name: string): string {
  return name.replaceAll('$', '\\$')
}

/** Does with a file of each of the commonest languages what a change does, and writes nothing: so the first change finds everything loaded. */
async function warmUpIndexing({ root, store, chunker, embedder }: IndexerParts): Promise<void> {
  const realRoot = await realpath(root)
  for (const file of await samples(knownFiles(store))) {
    const text = readInside(realRoot, file.path, MAX_BYTES_SIZE)?.toString('utf8') ?? ''
    describeFile(file, file.hash, await chunker.chunk(file.path, text))
  }
  await embedder.warmUp?.()
  await store.withoutVector(embedder.id, 'chunk', await store.lastVectorId(embedder.id, 'chunk'), 1)
}

/** The largest moderate file of each of the languages that most of the files are in. */
export async function samples(
  files: AsyncIterable<FileRecord> | Iterable<FileRecord>,
): Promise<FileRecord[]> {
  const found = new Map<string, { sample: FileRecord; count: number }>()
  for await (const file of files) {
    const grammar = languageOf(file.path)?.grammar
    if (!grammar || file.size > MAX_BYTES_SIZE) continue
    const { sample = file, count = 0 } = found.get(grammar) ?? {}
    found.set(grammar, { sample: file.size > sample.size ? file : sample, count: count + 1 })
  }
  return [...found.values()]
    .sort((a, b) => b.count - a.count)
    .slice(0, LANGUAGES)
    .map(({ sample }) => sample)
}
