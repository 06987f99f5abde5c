import { realpath } from 'node:fs/promises'
import { readInside } from '@secretary-mcp/core/files/read-inside.ts'
import { type FileRecord, knownFiles } from '../index-store.ts'
import { languageOf } from '../syntax/languages.ts'
import { describeFile } from './describe-file.ts'
import type { IndexerParts } from './index-run.ts'

/** A grammar takes some megabytes: the rarer languages of a project wait until one of their files changes. */
const LANGUAGES = 2
const LARGEST_BYTES = 64_000

/** Does with a file of each of the commonest languages what a change does, and writes nothing: so the first change finds everything loaded. */
export async function warmUpIndexing({
  root,
  store,
  chunker,
  embedder,
}: IndexerParts): Promise<void> {
  const realRoot = await realpath(root)
  for (const file of await samples(knownFiles(store))) {
    const text = readInside(realRoot, file.path, LARGEST_BYTES)?.toString('utf8') ?? ''
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
    if (!grammar || file.size > LARGEST_BYTES) continue
    const { sample = file, count = 0 } = found.get(grammar) ?? {}
    found.set(grammar, { sample: file.size > sample.size ? file : sample, count: count + 1 })
  }
  return [...found.values()]
    .sort((a, b) => b.count - a.count)
    .slice(0, LANGUAGES)
    .map(({ sample }) => sample)
}
