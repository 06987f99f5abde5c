import { withProjectFile } from '@secretary-mcp/core/files/open-file.ts'
import { moduleOf } from '@secretary-mcp/search/module-of.ts'
import { roleOf } from '../role-of.ts'
import { languageName } from './language-name.ts'
import { type LineRange, readPart } from './read-part.ts'
import { countLines, readText } from './read-text.ts'

export interface ReadFile {
  readonly file: {
    readonly path: string
    readonly content: string
    /** In bytes, of the whole file. */
    readonly size: number
    /** Of the whole file. */
    readonly lines?: number
    readonly language: string
    readonly encoding?: string
    readonly startLine?: number
    readonly endLine?: number
  }
  readonly metadata: {
    readonly module: string
    readonly role: string
    readonly lastModified: string
  }
  readonly modifiedMs: number
}

/** One file of the project, whole or in part. */
export function readProjectFile(
  root: string,
  path: string,
  range: LineRange = {},
  signal?: AbortSignal,
): Promise<ReadFile> {
  return withProjectFile(root, path, async (open) => {
    const isPart = range.startLine !== undefined || range.endLine !== undefined
    const { text, encoding, ...rest } = isPart ? await readPart(open, range, signal) : whole(open)
    return {
      file: {
        path: open.path,
        content: text,
        size: open.stats.size,
        language: languageName(open.path),
        ...rest,
        ...(encoding ? { encoding } : {}),
      },
      metadata: {
        module: moduleOf(open.path),
        role: roleOf(open.path),
        lastModified: open.stats.mtime.toISOString(),
      },
      modifiedMs: open.stats.mtimeMs,
    }
  })
}

function whole(open: Parameters<typeof readText>[0]) {
  const { text, encoding, size } = readText(open)
  return { text, encoding, size, lines: countLines(text) }
}
