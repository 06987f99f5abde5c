import type { ProjectTree } from './project-tree.ts'

/** One thing a file imports, as its language writes it. */
const IMPORT_TYPES = ['import', 'export', 'dynamic', 'require', 'include', 'use'] as const

export interface Import {
  readonly specifier: string
  readonly type: (typeof IMPORT_TYPES)[number]
}

export function importType(capture: string): Import['type'] | undefined {
  return IMPORT_TYPES.find((type) => type === capture)
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
  /** Tree-sitter query; each `@statement` is read on its own. A capture named like a type gives that type. */
  readonly query: string
  readonly type: Import['type']
  /** Where nothing was found, a syntax error is told instead. */
  readonly reportsErrors?: boolean
  specifiers(statement: string): string[]
  /** Files of the project; none for what comes from elsewhere. */
  resolve(specifier: string, place: ImportPlace): Promise<string[]>
}

/** Where an import names a folder of files, only this many of them count. */
export const MOST_FILES_OF_A_FOLDER = 10
