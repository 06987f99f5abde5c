import type { FailureKind } from '@secretary-mcp/core/failure.ts'
import type { Node } from '../template/parse-template.ts'
import type { FrontMatter } from './front-matter.ts'

/**
 * Where a document comes from; the project's own wins over the person's, which wins over the shipped one. What a space has in
 * common is in a folder of its own.
 */
export type Layer = 'project' | 'user' | 'shipped' | 'space'

/** A file found in a layer. `path` is its place in the docroot, with forward slashes. */
export interface DocumentFile {
  readonly path: string
  readonly layer: Layer
  readonly absolute: string
  /** The real folder that it may not lead out of. */
  readonly root: string
  /** Of the text that the person trusts; with another one it is not shown. */
  readonly digest?: string
  /** Of one that is in no file. */
  readonly text?: string
}

export interface Document extends FrontMatter {
  readonly path: string
  readonly layer: Layer
  readonly title: string
  readonly body: string
  readonly nodes: readonly Node[]
}

/** Why a document is missing from a result; it costs only itself. */
export interface Problem {
  readonly document: string
  readonly error_type: FailureKind
  readonly error: string
}

export const LARGEST_DOCUMENT = 1024 * 1024

export function isProblem<T>(read: T | Problem): read is Problem {
  return typeof read === 'object' && read !== null && 'error_type' in read
}
