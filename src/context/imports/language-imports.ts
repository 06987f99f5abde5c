import type { ProjectTree } from './project-tree.ts'

/** One thing a file imports, as its language writes it. */
export interface Import {
  readonly specifier: string
  readonly type: 'import' | 'export' | 'dynamic' | 'require' | 'include' | 'use'
}

export interface ImportPlace {
  /** The importing file, from the project's root. */
  readonly file: string
  /** Its text, for what only the file itself says, such as its package. */
  readonly text: string
  readonly tree: ProjectTree
}

/** What must be known of a language to follow its imports: which statements, what they name, and where that lies. */
export interface LanguageImports {
  readonly extensions: readonly string[]
  readonly grammar: string
  /** Tree-sitter query; each `@statement` is read on its own. */
  readonly query: string
  readonly type: Import['type']
  specifiers(statement: string): string[]
  /** Files of the project; none for what comes from elsewhere. */
  resolve(specifier: string, place: ImportPlace): Promise<string[]>
}

/** Where an import names a folder of files, at most so many of them count. */
export const MOST_FILES_OF_A_FOLDER = 10
