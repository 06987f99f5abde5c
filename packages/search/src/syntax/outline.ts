/** A definition found in a file, whoever found it. Lines count from 0 here, as parsers count; both ends belong to it. */
export interface Definition {
  readonly name: string
  readonly kind: DefinitionKind
  readonly startLine: number
  readonly endLine: number
  /** Only what lies directly inside: a class holds its methods, a long function its inner ones. */
  readonly children: readonly Definition[]
}

/** A `scope` lends its name to its children but is not itself what a reader looks for. */
export type DefinitionKind = 'function' | 'type' | 'value' | 'scope'
