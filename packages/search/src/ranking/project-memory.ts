import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Embedder } from '../embedder/embedder.ts'
import type { IndexStore, StoredFile } from '../index-store.ts'
import { stem } from '../text/english.ts'
import { identifiersIn, splitIdentifier } from '../text/index-terms.ts'
import {
  type ChunkVectors,
  createExactVectors,
  createSignedVectors,
  MAX_EXACT,
} from '../vectors/chunk-vectors.ts'
import { highestFirst } from '../vectors/highest-first.ts'
import { createVectorMatrix, type VectorMatrix } from '../vectors/vector-matrix.ts'
import { type FileRole, fileRoles } from './file-role.ts'
import type { Query } from './query.ts'

/** Names that say only where a folder begins: there the folder itself is the name. */
const ENTRY_NAMES = new Set('index mod init __init__'.split(' '))
const SHORTEST_BEGINNING = 3

/** What a search needs at hand: the files' names and the vectors of one model. Follows the store, whoever writes to it. */
export interface ProjectMemory {
  readonly files: ReadonlyMap<number, RememberedFile>
  readonly chunkCount: number
  /** Ids of files with a word in their name that begins like one of the query's, or the other way round; of too many those whose names match most. */
  filesNamedLike(query: Query, most: number): number[]
  /** Of all files, the share that has this role. */
  shareOf(role: FileRole): number
  /** Whether a file only declares what another one of the same name does. */
  isDeclarationOnly(file: RememberedFile): boolean
  fileOfChunk(chunkId: number): RememberedFile | undefined
  readonly chunkVectors: ChunkVectors
  readonly fileVectors: VectorMatrix
  /** The notes' vectors by their scope. */
  readonly notes: ReadonlyMap<string, VectorMatrix>
  /** The model whose vectors are held, if any has vectors. */
  readonly model: Embedder | undefined
  /** The model of the notes' vectors: their own, where there is one. */
  readonly noteModel: Embedder | undefined
  /** The service that should give vectors and has given none yet; whether it answers is told. */
  readonly awaited: Embedder | undefined
  refresh(): Promise<void>
}

/** Others may want this thread between two pages of a large project. */
const PAGE = 500
/** When more than this share of what is held is gone from the store, memory is filled again. */
const MAX_STALE = 0.2

/** `embedders`: the wanted one first, then those whose older vectors may still answer while the wanted one's are being made. */
export function createProjectMemory(
  store: IndexStore,
  embedders: readonly Embedder[],
  platform: string,
  noteEmbedder?: Embedder,
): ProjectMemory {
  let revision = -1
  const files = createRememberedFiles(platform)
  let model: Embedder | undefined
  let chunkCount = 0
  let fileVectors = createVectorMatrix()
  let chunkVectors = createExactVectors(store)
  let isExact = true
  let notes = new Map<string, VectorMatrix>()
  let lastNoteId = 0
  let refreshing: Promise<void> | undefined

  return {
    files: files.byId,
    get chunkCount() {
      return chunkCount
    },
    shareOf: (role) => files.countOf(role) / Math.max(files.byId.size, 1),
    isDeclarationOnly: ({ roles, words }) =>
      roles.includes('declaration') && files.isImplemented(words.wholeName),
    filesNamedLike: ({ tellingWords }, most) => files.namedLike(tellingWords, most),
    fileOfChunk: (chunkId) => files.ofChunk(chunkId),
    get chunkVectors() {
      return chunkVectors
    },
    get fileVectors() {
      return fileVectors
    },
    get notes() {
      return notes
    },
    get model() {
      return model
    },
    get noteModel() {
      return noteEmbedder ?? model
    },
    get awaited() {
      const [wanted] = embedders
      // Only a service has nothing to load beforehand.
      return model || wanted?.warmUp ? undefined : wanted
    },
    /** Those who ask together wait for the same: filled twice at once, memory would hold everything twice. */
    refresh() {
      refreshing ??= refresh().finally(() => {
        refreshing = undefined
      })
      return refreshing
    },
  }

  async function refresh(): Promise<void> {
    const now = await store.revision()
    if (now === revision) return
    const counts = await store.counts()
    chunkCount = counts.chunks
    await followModel()
    await loadFiles()
    if (files.byId.size > counts.files) files.keepOnly(await store.fileIds())
    await loadFileVectors()
    await loadChunkVectors()
    await loadNotes()
    revision = now
  }

  async function followModel(): Promise<void> {
    const counts = await store.vectorCounts()
    const best = embedders.reduce<Embedder | undefined>(
      (most, one) =>
        (counts.get(one.id) ?? 0) > (most ? (counts.get(most.id) ?? 0) : 0) ? one : most,
      undefined,
    )
    if (best?.id === model?.id) return
    model = best
    fileVectors = createVectorMatrix()
    chunkVectors = newChunkVectors()
    notes = new Map()
    lastNoteId = 0
  }

  async function loadFiles(): Promise<void> {
    for (;;) {
      const page = await store.filesAfter(files.lastId, PAGE)
      for (const file of page) files.add(file)
      if (page.length < PAGE) return
      await nextTurn()
    }
  }

  async function loadNotes(): Promise<void> {
    const reader = noteEmbedder ?? model
    if (!reader) return
    for (;;) {
      const page = await store.vectorsAfter(reader.id, 'note', lastNoteId, PAGE)
      for (const { id, vector, scope = '' } of page) {
        const matrix = notes.get(scope) ?? createVectorMatrix()
        matrix.add(id, vector)
        notes.set(scope, matrix)
        lastNoteId = id
      }
      if (page.length < PAGE) return
    }
  }

  async function loadFileVectors(): Promise<void> {
    if (!model) return
    for (;;) {
      const page = await store.vectorsAfter(model.id, 'file', fileVectors.lastId, PAGE)
      for (const { id, vector } of page) fileVectors.add(id, vector)
      if (page.length < PAGE) return
      await nextTurn()
    }
  }

  async function loadChunkVectors(): Promise<void> {
    if (!model) return
    if (isExact !== chunkCount <= MAX_EXACT) chunkVectors = newChunkVectors()
    await chunkVectors.load(model.id)
    if (chunkVectors.rows <= chunkCount * (1 + MAX_STALE) + PAGE) return
    chunkVectors = newChunkVectors()
    await chunkVectors.load(model.id)
  }

  function newChunkVectors(): ChunkVectors {
    isExact = chunkCount <= MAX_EXACT
    return isExact ? createExactVectors(store) : createSignedVectors(store)
  }
}

export interface RememberedFile extends StoredFile {
  readonly words: PathWords
  readonly roles: readonly FileRole[]
}

/** A project's files by id, by path and by the words of their names; each is read once, however often others change. */
interface RememberedFiles {
  readonly byId: ReadonlyMap<number, RememberedFile>
  readonly lastId: number
  /** The ids rise; an older file at the same path goes. */
  add(file: StoredFile): void
  keepOnly(ids: readonly number[]): void
  namedLike(words: readonly string[], most: number): number[]
  countOf(role: FileRole): number
  /** Whether some file of this name does what others may only declare. */
  isImplemented(wholeName: string): boolean
  ofChunk(chunkId: number): RememberedFile | undefined
}

function createRememberedFiles(platform: string): RememberedFiles {
  const byId = new Map<number, RememberedFile>()
  const idAt = new Map<string, number>()
  const knownParts = newKnownParts()
  /** Words of names with the files that have them, by how they begin; files that are gone may still be there. */
  const byBeginning = new Map<string, Map<string, number[]>>()
  const roleCounts = new Map<FileRole, number>()
  const implemented = new Map<string, number>()
  let lastId = 0
  /** In order of their chunks' ids, as files are only ever added at the end; made when asked for. */
  let inOrder: RememberedFile[] | undefined

  function count(file: RememberedFile, by: 1 | -1): void {
    const { roles, words } = file
    for (const role of roles) roleCounts.set(role, (roleCounts.get(role) ?? 0) + by)
    if (!roles.includes('declaration') && !roles.includes('test'))
      implemented.set(words.wholeName, (implemented.get(words.wholeName) ?? 0) + by)
  }

  function remove(id: number): void {
    const file = byId.get(id)
    if (!file) return
    count(file, -1)
    byId.delete(id)
    inOrder = undefined
  }

  return {
    byId,
    get lastId() {
      return lastId
    },
    add({ id, path, mtimeMs, firstChunkId, lastChunkId }) {
      remove(idAt.get(path) ?? 0)
      const words = pathWords(path, knownParts)
      const roles = fileRoles(path, platform)
      const file = { id, path, mtimeMs, firstChunkId, lastChunkId, words, roles }
      byId.set(id, file)
      idAt.set(path, id)
      count(file, 1)
      for (const word of new Set(words.name)) noteName(byBeginning, word, id)
      lastId = id
      inOrder = undefined
    },
    keepOnly(ids) {
      const kept = new Set(ids)
      for (const { id, path } of [...byId.values()]) {
        if (kept.has(id)) continue
        remove(id)
        idAt.delete(path)
      }
    },
    namedLike(asked, most) {
      const matched = new Uint8Array(lastId + 1)
      const found: number[] = []
      const beginnings = new Set(asked.map(beginningOf))
      for (const [word, ids] of [...beginnings].flatMap((one) => [...(byBeginning.get(one) ?? [])]))
        if (asked.some((one) => sameBeginning(word, one)))
          for (const id of ids) if ((matched[id] as number)++ === 0 && byId.has(id)) found.push(id)
      if (found.length <= most) return found
      const share = (id: number) => (matched[id] as number) / (byId.get(id)?.words.name.length ?? 1)
      return highestFirst(Float32Array.from(found, share), most).map((nth) => found[nth] as number)
    },
    countOf: (role) => roleCounts.get(role) ?? 0,
    isImplemented: (wholeName) => (implemented.get(wholeName) ?? 0) > 0,
    ofChunk(chunkId) {
      inOrder ??= [...byId.values()].filter((file) => file.lastChunkId >= file.firstChunkId)
      return around(inOrder, chunkId)
    },
  }
}

function noteName(byBeginning: Map<string, Map<string, number[]>>, word: string, id: number): void {
  const beginning = beginningOf(word)
  const alike = byBeginning.get(beginning) ?? new Map<string, number[]>()
  byBeginning.set(beginning, alike)
  const ids = alike.get(word)
  if (ids) ids.push(id)
  else alike.set(word, [id])
}

function around(files: readonly RememberedFile[], chunkId: number): RememberedFile | undefined {
  let low = 0
  let high = files.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const file = files[middle] as RememberedFile
    if (chunkId > file.lastChunkId) low = middle + 1
    else if (chunkId < file.firstChunkId) high = middle - 1
    else return file
  }
  return undefined
}

/** The words of a path, for comparison with a query's. */
interface PathWords {
  /** Words of the file's name without its extension. */
  readonly name: readonly string[]
  readonly wholeName: string
  /** Stems of the words of each part of the path. */
  readonly stems: readonly (readonly string[])[]
}

/** Folders recur in very many paths: what has been read once need not be read and kept again. */
interface KnownParts {
  readonly words: Map<string, readonly string[]>
  readonly stems: Map<string, readonly string[]>
}

export function pathWords(path: string, known = newKnownParts()): PathWords {
  const parts = partsOf(path)
  const own = parts.at(-1) ?? ''
  const folder = parts.at(-2) ?? ''
  const name = ENTRY_NAMES.has(own.toLowerCase()) && folder ? folder : own
  return new LazyPathWords(path, known, wordsOf(name, known))
}

function newKnownParts(): KnownParts {
  return { words: new Map(), stems: new Map() }
}

/** Of most files nobody asks for the stems; a class, because one object a file is all that a large project can spare. */
class LazyPathWords implements PathWords {
  readonly name: readonly string[]
  readonly wholeName: string
  readonly #path: string
  readonly #known: KnownParts
  #stems: PathWords['stems'] | undefined

  constructor(path: string, known: KnownParts, name: readonly string[]) {
    this.#path = path
    this.#known = known
    this.name = name
    this.wholeName = name.join('')
  }

  get stems(): PathWords['stems'] {
    this.#stems ??= partsOf(this.#path).map((part) => stemsOf(part, this.#known))
    return this.#stems
  }
}

function partsOf(path: string): string[] {
  return path.replace(/\.[^./]+$/, '').split('/')
}

function wordsOf(part: string, { words }: KnownParts): readonly string[] {
  const before = words.get(part)
  if (before) return before
  const read = identifiersIn(part).flatMap((identifier) => [...splitIdentifier(identifier)])
  words.set(part, read)
  return read
}

function stemsOf(part: string, known: KnownParts): readonly string[] {
  const before = known.stems.get(part)
  if (before) return before
  const read = wordsOf(part, known).map(stem)
  known.stems.set(part, read)
  return read
}

/** The share of the file's name that the query speaks of; a beginning counts: `config` for `configuration`. */
export function nameMatch(path: PathWords, query: Query): number {
  if (path.name.length === 0) return 0
  const matched = path.name.filter((word) =>
    query.tellingWords.some((asked) => sameBeginning(word, asked)),
  ).length
  return matched / path.name.length
}

/** What two words have in common that begin the same. */
function beginningOf(word: string): string {
  return word.slice(0, SHORTEST_BEGINNING)
}

function sameBeginning(a: string, b: string): boolean {
  return (
    a.length >= SHORTEST_BEGINNING &&
    b.length >= SHORTEST_BEGINNING &&
    (a.startsWith(b) || b.startsWith(a))
  )
}
