import type { Caller } from '../core/tool.ts'
import { type ReadFile, readProjectFile } from './files/file-reader.ts'
import type { LineRange } from './files/read-part.ts'
import { type GrepAnswer, type GrepRequest, grep } from './grep/grep.ts'
import { type Dependency, dependenciesOf } from './imports/dependencies.ts'

export interface ReadRequest extends LineRange {
  readonly path: string
  readonly includeDeps: boolean
  readonly maxDepth: number
}

export interface ReadAnswer extends Pick<ReadFile, 'file' | 'metadata'> {
  readonly dependencies: Dependency[]
  readonly message?: string
}

/** What the project knows. */
export class Context {
  async read({ project }: Caller, request: ReadRequest, signal: AbortSignal): Promise<ReadAnswer> {
    const { path, includeDeps, maxDepth, startLine, endLine } = request
    const { file, metadata, modifiedMs } = await readProjectFile(project, path, { startLine, endLine }, signal)
    if (!includeDeps || maxDepth === 0) return { file, dependencies: [], metadata }
    const source = { path: file.path, text: file.content, modifiedMs }
    const { dependencies, left } = await dependenciesOf(project, source, signal)
    return { file, dependencies, metadata, ...(left > 0 ? { message: `${left} more dependencies are not shown` } : {}) }
  }

  grep({ project }: Caller, request: GrepRequest, signal: AbortSignal): Promise<GrepAnswer> {
    return grep(project, request, signal)
  }
}
