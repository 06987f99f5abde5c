import type { StoredFile } from '../index-store.ts'
import { highestFirst } from '../vectors/highest-first.ts'
import { type FileRole, fileRoles } from './file-role.ts'
import {
  beginningOf,
  newKnownParts,
  type PathWords,
  pathWords,
  sameBeginning,
} from './path-words.ts'

export interface RememberedFile extends StoredFile {
  readonly words: PathWords
  readonly roles: readonly FileRole[]
}

/** A project's files by id, by path and by the words of their names; each is read once, however often others change. */
export interface RememberedFiles {
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

export function createRememberedFiles(platform: string): RememberedFiles {
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
