import type { Flags, FlagValue } from './flag-value.ts'

export type SelectionKind = 'category' | 'collection'

/** A stored category or collection. A removed one hides the default of the same name. */
export interface Selection {
  readonly kind: SelectionKind
  readonly name: string
  /** Of a category: its folder in the docroot. */
  readonly dir: string
  /** Patterns of a category, expressions of a collection. */
  readonly items: readonly string[]
  readonly description: string
  readonly removed: boolean
}

export interface StoredProject {
  readonly selections: readonly Selection[]
  readonly profiles: readonly string[]
  readonly projectFlags: Flags
  readonly globalFlags: Flags
}

export interface ProjectRecord {
  readonly key: string
  readonly name: string
  readonly path: string
}

/** The scope of the flags that every project sees. */
export const GLOBAL_SCOPE = '*'

/** What the family needs from storage. Nothing is remembered between calls: another process's change shows at once. */
export interface GuideStore {
  load(project: string, flagScope: string): Promise<StoredProject>
  projects(limit: number): Promise<readonly ProjectRecord[]>
  register(project: ProjectRecord, now: string): Promise<void>
  /** False where the name is taken. */
  addSelection(project: string, selection: Selection): Promise<boolean>
  /** Inserts, or changes the named fields of what is there. */
  putSelection(
    project: string,
    selection: Selection,
    changed: readonly (keyof Selection)[],
  ): Promise<void>
  /** All or nothing: the selection under its new name, the old one gone or hidden, the others put. False where the name is taken. */
  renameSelection(
    project: string,
    selection: Selection,
    old: { readonly name: string; readonly hide: boolean },
    others: readonly Selection[],
  ): Promise<boolean>
  deleteSelection(project: string, kind: SelectionKind, name: string): Promise<void>
  addProfile(project: string, profile: string): Promise<boolean>
  removeProfile(project: string, profile: string): Promise<void>
  setFlag(scope: string, name: string, value: FlagValue, now: string): Promise<void>
  /** False where it was not set. */
  removeFlag(scope: string, name: string): Promise<boolean>
  /** Sets or removes it where it still is what it was, and is false where it is not; null is a flag that is not set. */
  swapFlag(
    scope: string,
    name: string,
    change: { readonly before: FlagValue | null; readonly after: FlagValue | null },
    now: string,
  ): Promise<boolean>
}
