import type { IndexStore } from './index-store.ts'
import type { ProjectMemory } from './ranking/project-memory.ts'
import { wholeTerm } from './text/index-terms.ts'

export interface Definition {
  readonly name: string
  readonly file: string
  readonly line: number
  readonly text: string
}

const MOST_HITS = 200

/** The line that defines each name, where one file of the project alone does. */
export async function definitionsOf(
  names: readonly string[],
  store: IndexStore,
  memory: ProjectMemory,
): Promise<Definition[]> {
  const wanted = new Set(names)
  const terms = [...new Set(names.map(wholeTerm))]
  const hits = (await store.findDefinitions(terms, MOST_HITS)).filter(({ name }) =>
    wanted.has(name),
  )
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
