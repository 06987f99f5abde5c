import { redactIn } from '@secretary-mcp/core/redact.ts'
import type { Kysely } from 'kysely'
import * as z from 'zod'
import { type Database, storedJson } from '../../storage/database.ts'
import type { Tables } from '../../storage/tables.ts'
import { type Flags, type FlagValue, flagValue } from '../flag-value.ts'

/** The scope of the flags that every project sees. */
export const GLOBAL_SCOPE = '*'

const texts = z.array(z.string())

export function createGuideStore(database: Database): GuideStore {
  return {
    load: (project, flagScope) =>
      database.use(async (db) => {
        const [selections, profiles, flags] = await Promise.all([
          db
            .selectFrom('guide_selections')
            .selectAll()
            .where('project', '=', project)
            .orderBy('name')
            .execute(),
          db
            .selectFrom('guide_profiles')
            .select('name')
            .where('project', '=', project)
            .orderBy('name')
            .execute(),
          db
            .selectFrom('guide_flags')
            .selectAll()
            .where('scope', 'in', [flagScope, GLOBAL_SCOPE])
            .orderBy('name')
            .execute(),
        ])
        return {
          selections: selections.flatMap(selectionOf),
          profiles: profiles.map(({ name }) => name),
          projectFlags: flagsOf(flags.filter(({ scope }) => scope === flagScope)),
          globalFlags: flagsOf(flags.filter(({ scope }) => scope === GLOBAL_SCOPE)),
        }
      }),

    projects: (limit) =>
      database.use((db) =>
        db
          .selectFrom('guide_projects')
          .select(['key', 'name', 'path'])
          .orderBy('name')
          .orderBy('key')
          .limit(limit)
          .execute(),
      ),

    async register({ key, name, path }, now) {
      await database.use((db) =>
        db
          .insertInto('guide_projects')
          .values({ key, name, path, created_at: now })
          .onConflict((conflict) => conflict.column('key').doNothing())
          .execute(),
      )
    },

    async addSelection(project, selection) {
      return database.use((db) => add(db, rowOf(project, selection)))
    },

    async putSelection(project, selection, changed) {
      await database.use((db) => put(db, rowOf(project, selection), changed))
    },

    renameSelection: (project, selection, old, others) =>
      database.use((db) =>
        db.transaction().execute(async (trx) => {
          if (!(await add(trx, rowOf(project, selection)))) return false
          const before: Selection = { ...selection, name: old.name, removed: true }
          if (old.hide) await put(trx, rowOf(project, before), ['removed'])
          else await remove(trx, project, before)
          for (const other of others) await put(trx, rowOf(project, other), ['items'])
          return true
        }),
      ),

    async deleteSelection(project, kind, name) {
      await database.use((db) => remove(db, project, { kind, name }))
    },

    async addProfile(project, name) {
      const added = await database.use((db) =>
        db
          .insertInto('guide_profiles')
          .values({ project, name })
          .onConflict((conflict) => conflict.doNothing())
          .returning('name')
          .executeTakeFirst(),
      )
      return added !== undefined
    },

    async removeProfile(project, name) {
      await database.use((db) =>
        db
          .deleteFrom('guide_profiles')
          .where('project', '=', project)
          .where('name', '=', name)
          .execute(),
      )
    },

    async setFlag(scope, name, value, now) {
      const row = { scope, name, value: JSON.stringify(redactIn(value)), updated_at: now }
      await database.use((db) =>
        db
          .insertInto('guide_flags')
          .values(row)
          .onConflict((conflict) =>
            conflict.columns(['scope', 'name']).doUpdateSet({ value: row.value, updated_at: now }),
          )
          .execute(),
      )
    },

    async removeFlag(scope, name) {
      const { numDeletedRows } = await database.use((db) =>
        db
          .deleteFrom('guide_flags')
          .where('scope', '=', scope)
          .where('name', '=', name)
          .executeTakeFirst(),
      )
      return numDeletedRows > 0n
    },

    swapFlag: createFlagSwap(database),
  }
}

/** A removed default of the same name may come back; a living one may not be overwritten. */
async function add(db: Kysely<Tables>, row: Row): Promise<boolean> {
  const { dir, items, description } = row
  const added = await db
    .insertInto('guide_selections')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['project', 'kind', 'name'])
        .doUpdateSet({ dir, items, description, removed: 0 })
        .where('guide_selections.removed', '=', 1),
    )
    .returning('name')
    .executeTakeFirst()
  return added !== undefined
}

async function put(
  db: Kysely<Tables>,
  row: Row,
  changed: readonly (keyof Selection)[],
): Promise<void> {
  const { dir, items, description, removed } = row
  const fields = { dir, items, description, removed }
  const set = Object.fromEntries(
    Object.entries(fields).filter(([key]) => changed.some((field) => field === key)),
  )
  await db
    .insertInto('guide_selections')
    .values(row)
    .onConflict((conflict) => conflict.columns(['project', 'kind', 'name']).doUpdateSet(set))
    .execute()
}

async function remove(
  db: Kysely<Tables>,
  project: string,
  { kind, name }: Pick<Selection, 'kind' | 'name'>,
): Promise<void> {
  await db
    .deleteFrom('guide_selections')
    .where('project', '=', project)
    .where('kind', '=', kind)
    .where('name', '=', name)
    .execute()
}

interface SelectionRow {
  kind: 'category' | 'collection'
  name: string
  dir: string
  items: string
  description: string
  removed: number
}

function selectionOf(row: SelectionRow): Selection[] {
  const { kind, name, dir, description, removed } = row
  const items = storedJson(row.items, texts)
  return items ? [{ kind, name, dir, items, description, removed: removed === 1 }] : []
}

type Row = SelectionRow & { readonly project: string }

function rowOf(project: string, { kind, name, dir, items, description, removed }: Selection): Row {
  return {
    project,
    kind,
    name,
    dir,
    items: JSON.stringify(items),
    description,
    removed: Number(removed),
  }
}

function flagsOf(rows: readonly { name: string; value: string }[]): Flags {
  return Object.fromEntries(
    rows.flatMap(({ name, value }) => {
      const read = storedJson(value, flagValue)
      return read === undefined ? [] : [[name, read]]
    }),
  )
}

/** One statement that also compares: whoever writes at the same moment is noticed, not overwritten. */
function createFlagSwap(database: Database): GuideStore['swapFlag'] {
  return async (scope, name, { before, after }, now) => {
    const value = after === null ? undefined : JSON.stringify(redactIn(after))
    const written = await database.use(async (db) => {
      if (before === null) {
        if (value === undefined) return undefined
        return db
          .insertInto('guide_flags')
          .values({ scope, name, value, updated_at: now })
          .onConflict((conflict) => conflict.columns(['scope', 'name']).doNothing())
          .returning('name')
          .executeTakeFirst()
      }
      const seen = JSON.stringify(before)
      if (value === undefined)
        return db
          .deleteFrom('guide_flags')
          .where('scope', '=', scope)
          .where('name', '=', name)
          .where('value', '=', seen)
          .returning('name')
          .executeTakeFirst()
      return db
        .updateTable('guide_flags')
        .set({ value, updated_at: now })
        .where('scope', '=', scope)
        .where('name', '=', name)
        .where('value', '=', seen)
        .returning('name')
        .executeTakeFirst()
    })
    return written !== undefined
  }
}

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
