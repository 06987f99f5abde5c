import type { Embedder } from '../embedder/embedder.ts'
import type { IndexStore, StoredFile } from '../index-store.ts'
import {
  type ChunkVectors,
  createExactVectors,
  createSignedVectors,
  MOST_EXACT,
} from '../vectors/chunk-vectors.ts'
import { highestFirst } from '../vectors/highest-first.ts'
import { createVectorMatrix, type VectorMatrix } from '../vectors/vector-matrix.ts'
import { type FileRole, fileRoles } from './file-role.ts'
import {
  beginningOf,
  type KnownParts,
  type PathWords,
  pathWords,
  sameBeginning,
} from './path-words.ts'
import type { Query } from './query.ts'

export interface RememberedFile extends StoredFile {
  readonly words: PathWords
  readonly roles: readonly FileRole[]
}

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

const PAGE = 500
/** When more than this share of what is held is gone from the store, memory is filled again. */
const MOST_STALE = 0.2

/** `embedders`: the wanted one first, then those whose older vectors may still answer while the wanted one's are being made. */
export function createProjectMemory(
  store: IndexStore,
  embedders: readonly Embedder[],
  platform: string,
  noteEmbedder?: Embedder,
): ProjectMemory {
  let revision = -1
  let files = new Map<number, RememberedFile>()
  let lastFileId = 0
  const knownParts: KnownParts = new Map()
  let model: Embedder | undefined
  let chunkCount = 0
  /** In order of their chunks' ids, as files are only ever added at the end. */
  let inOrder: RememberedFile[] = []
  let byNameWord: NameWords = new Map()
  let implemented: ReadonlySet<string> = new Set()
  let roleCounts: ReadonlyMap<FileRole, number> = new Map()
  let fileVectors = createVectorMatrix()
  let chunkVectors = createExactVectors(store)
  let isExact = true
  let notes = new Map<string, VectorMatrix>()
  let lastNoteId = 0
  let refreshing: Promise<void> | undefined

  return {
    get files() {
      return files
    },
    get chunkCount() {
      return chunkCount
    },
    shareOf: (role) => (roleCounts.get(role) ?? 0) / Math.max(files.size, 1),
    isDeclarationOnly: (file) =>
      file.roles.includes('declaration') && implemented.has(file.words.wholeName),
    filesNamedLike(query, most) {
      const matched = new Uint8Array(lastFileId + 1)
      const found: number[] = []
      const beginnings = new Set(query.tellingWords.map(beginningOf))
      for (const [word, named] of [...beginnings].flatMap((one) => byNameWord.get(one) ?? [])) {
        if (!query.tellingWords.some((asked) => sameBeginning(word, asked))) continue
        for (const id of named) if ((matched[id] as number)++ === 0) found.push(id)
      }
      if (found.length <= most) return found
      const share = (id: number) =>
        (matched[id] as number) / (files.get(id)?.words.name.length ?? 1)
      return highestFirst(Float32Array.from(found, share), most).map((nth) => found[nth] as number)
    },
    fileOfChunk(chunkId) {
      let low = 0
      let high = inOrder.length - 1
      while (low <= high) {
        const middle = (low + high) >> 1
        const file = inOrder[middle] as RememberedFile
        if (chunkId > file.lastChunkId) low = middle + 1
        else if (chunkId < file.firstChunkId) high = middle - 1
        else return file
      }
      return undefined
    },
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
    if (files.size > counts.files) await reloadFiles()
    byNameWord = nameWords(files.values())
    implemented = implementedNames(files.values())
    roleCounts = countRoles(files.values())
    inOrder = [...files.values()].filter((file) => file.lastChunkId >= file.firstChunkId)
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
      const page = await store.filesAfter(lastFileId, PAGE)
      for (const file of page)
        files.set(file.id, {
          ...file,
          words: pathWords(file.path, knownParts),
          roles: fileRoles(file.path, platform),
        })
      lastFileId = page.at(-1)?.id ?? lastFileId
      if (page.length < PAGE) return
    }
  }

  async function reloadFiles(): Promise<void> {
    files = new Map()
    lastFileId = 0
    await loadFiles()
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
    }
  }

  async function loadChunkVectors(): Promise<void> {
    if (!model) return
    if (isExact !== chunkCount <= MOST_EXACT) chunkVectors = newChunkVectors()
    await chunkVectors.load(model.id)
    if (chunkVectors.rows <= chunkCount * (1 + MOST_STALE) + PAGE) return
    chunkVectors = newChunkVectors()
    await chunkVectors.load(model.id)
  }

  function newChunkVectors(): ChunkVectors {
    isExact = chunkCount <= MOST_EXACT
    return isExact ? createExactVectors(store) : createSignedVectors(store)
  }
}

function implementedNames(files: Iterable<RememberedFile>): Set<string> {
  const names = new Set<string>()
  for (const { words, roles } of files)
    if (!roles.includes('declaration') && !roles.includes('test')) names.add(words.wholeName)
  return names
}

function countRoles(files: Iterable<RememberedFile>): Map<FileRole, number> {
  const counts = new Map<FileRole, number>()
  for (const { roles } of files)
    for (const role of roles) counts.set(role, (counts.get(role) ?? 0) + 1)
  return counts
}

/** Words of files' names with the files that have them, by how they begin. */
type NameWords = ReadonlyMap<string, readonly (readonly [word: string, ids: readonly number[]])[]>

function nameWords(files: Iterable<RememberedFile>): NameWords {
  const ids = new Map<string, number[]>()
  for (const { id, words } of files) {
    for (const word of new Set(words.name)) {
      const named = ids.get(word)
      if (named) named.push(id)
      else ids.set(word, [id])
    }
  }
  const byBeginning = new Map<string, (readonly [string, number[]])[]>()
  for (const entry of ids) {
    const alike = byBeginning.get(beginningOf(entry[0]))
    if (alike) alike.push(entry)
    else byBeginning.set(beginningOf(entry[0]), [entry])
  }
  return byBeginning
}
