import type { FileRecord, IndexStore } from '../index-store.ts'

const PAGE = 1_000

/** What the store knows of every file, a page at a time: of a large project all of it would fill much memory. */
export async function* knownFiles(
  store: Pick<IndexStore, 'filesBehind'>,
): AsyncGenerator<FileRecord> {
  for (let last: string | undefined = ''; last !== undefined; ) {
    const page = await store.filesBehind(last, PAGE)
    yield* page
    last = page.at(-1)?.path
  }
}
