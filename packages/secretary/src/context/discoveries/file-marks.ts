import { createHash } from 'node:crypto'
import { Failure } from '@secretary-mcp/core/failure.ts'
import { readProjectFile } from '../files/file-reader.ts'
import type { FileMark } from './discovery.ts'

/** Marks of files as they are now. A path that cannot be read is a failure. */
export async function markFiles(project: string, paths: readonly string[]): Promise<FileMark[]> {
  const marks = await Promise.all(paths.map((path) => markOf(project, path)))
  return [...new Map(marks.map((mark) => [mark.path, mark])).values()]
}

/** Of paths that were only mentioned, those that are files of the project. */
export async function markMentioned(
  project: string,
  paths: readonly string[],
  most: number,
): Promise<FileMark[]> {
  const marks: FileMark[] = []
  for (const path of paths) {
    const mark = marks.length < most ? await findMark(project, path) : undefined
    if (mark && !marks.some((known) => known.path === mark.path)) marks.push(mark)
  }
  return marks
}

/** The marked files whose content is another by now, or which are gone. */
export async function changedSince(project: string, marks: readonly FileMark[]): Promise<string[]> {
  const now = await Promise.all(marks.map(({ path }) => findMark(project, path)))
  return marks.filter(({ hash }, place) => now[place]?.hash !== hash).map(({ path }) => path)
}

async function findMark(project: string, path: string): Promise<FileMark | undefined> {
  try {
    return await markOf(project, path)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

async function markOf(project: string, path: string): Promise<FileMark> {
  const { file } = await readProjectFile(project, path)
  return {
    path: file.path,
    hash: createHash('sha256').update(file.content).digest('hex').slice(0, 32),
  }
}
