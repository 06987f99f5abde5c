import type { Caller } from '../core/tool.ts'
import { type ReadFile, readProjectFile } from './files/file-reader.ts'
import type { LineRange } from './files/read-part.ts'
import { type GrepAnswer, type GrepRequest, grep } from './grep/grep.ts'

export interface ReadRequest extends LineRange {
  readonly path: string
  readonly includeDeps: boolean
  readonly maxDepth: number
}

export interface ReadAnswer extends Pick<ReadFile, 'file' | 'metadata'> {
  readonly dependencies: readonly unknown[]
}

/** What the project knows. */
export class Context {
  async read({ project }: Caller, { path, ...range }: ReadRequest, signal: AbortSignal): Promise<ReadAnswer> {
    const { file, metadata } = await readProjectFile(project, path, range, signal)
    return { file, dependencies: [], metadata }
  }

  grep({ project }: Caller, request: GrepRequest, signal: AbortSignal): Promise<GrepAnswer> {
    return grep(project, request, signal)
  }
}
