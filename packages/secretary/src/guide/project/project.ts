import { createHash } from 'node:crypto'
import { basename, resolve } from 'node:path'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { Library, Shelf } from '../documents/library.ts'
import { realPath } from '../documents/real-path.ts'
import { type SpaceDocument, withSpaceDocuments } from '../documents/space-documents.ts'
import { type Flags, flagScopeOf } from '../flag-value.ts'
import type { GuideStore, ProjectRecord, SelectionKind } from '../store/guide-store.ts'
import { defaultCategories, defaultCollections, detectProfiles } from './profiles.ts'

export interface Category {
  readonly name: string
  readonly dir: string
  readonly patterns: readonly string[]
  readonly description: string
  /** Made from the docroot's folders; nobody has stored it. */
  readonly isDefault: boolean
}

export interface Collection {
  readonly name: string
  readonly categories: readonly string[]
  readonly description: string
  readonly isDefault: boolean
}

/** A project as it is at this moment: what is stored, laid over the defaults. */
export interface Project extends ProjectRecord {
  readonly shelf: Shelf
  readonly categories: ReadonlyMap<string, Category>
  readonly collections: ReadonlyMap<string, Collection>
  /** Names that would come back by themselves when nothing is stored under them. */
  readonly defaults: Readonly<Record<SelectionKind, ReadonlySet<string>>>
  /** The project's own over the global ones. */
  readonly flags: Flags
  readonly projectFlags: Flags
  readonly globalFlags: Flags
  /** Profiles in use. */
  readonly profiles: readonly string[]
  /** Matching profiles what lies in the project's root. */
  readonly detected: readonly string[]
}

const LONGEST_NAME = 50

/** The same folder is the same project, by whatever link one came to it. */
export function recordOf(root: string): ProjectRecord {
  const path = realPath(root) ?? resolve(root)
  const key = createHash('sha256').update(path).digest('hex').slice(0, 32)
  return { key, name: (basename(path) || 'root').slice(0, LONGEST_NAME), path }
}

export async function openProject(
  caller: Pick<Caller, 'user' | 'role' | 'project'>,
  store: GuideStore,
  library: Library,
  shared: (user: string) => Promise<readonly SpaceDocument[]> = async () => [],
): Promise<Project> {
  const record = recordOf(caller.project)
  const [stored, own, others, parseYaml] = await Promise.all([
    store.load(record.key, flagScopeOf(caller, record.key)),
    library.open(record.path),
    shared(caller.user),
    library.yaml(),
  ])
  const shelf = withSpaceDocuments(own, others, parseYaml)
  const detected = detectProfiles(record.path)
  const categories = new Map(defaultCategories(shelf).map((category) => [category.name, category]))
  const collections = new Map(
    defaultCollections(categories, stored.profiles.length > 0 ? stored.profiles : detected).map(
      (collection) => [collection.name, collection],
    ),
  )
  const defaults = { category: new Set(categories.keys()), collection: new Set(collections.keys()) }
  for (const { kind, name, dir, items, description, removed } of stored.selections) {
    if (removed) (kind === 'category' ? categories : collections).delete(name)
    else if (kind === 'category')
      categories.set(name, { name, dir, patterns: items, description, isDefault: false })
    else collections.set(name, { name, categories: items, description, isDefault: false })
  }
  return {
    ...record,
    shelf,
    categories,
    collections,
    defaults,
    flags: { ...stored.globalFlags, ...stored.projectFlags },
    projectFlags: stored.projectFlags,
    globalFlags: stored.globalFlags,
    profiles: stored.profiles,
    detected,
  }
}

/** What everything that reads and changes a project's record works with. */
export interface ProjectParts {
  readonly store: GuideStore
  readonly open: (caller: Caller) => Promise<Project>
  /** Tells the clients that their list of documents may be another one now. */
  readonly changed: () => void
  readonly now?: () => Date
}

/** Before anything is stored about a project, the store has to know it. */
export async function register(
  { store, now = () => new Date() }: ProjectParts,
  project: Project,
): Promise<void> {
  await store.register(project, now().toISOString())
}
