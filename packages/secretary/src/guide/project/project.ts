import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { withFileInside } from '@secretary-mcp/core/files/read-inside.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { isProblem, realPath } from '../documents/document.ts'
import {
  type Library,
  type Shelf,
  type SpaceDocument,
  withSpaceDocuments,
} from '../documents/library.ts'
import { type Flags, flagScopeOf } from '../flag-value.ts'
import { isName } from '../names.ts'
import type { GuideStore, ProjectRecord, SelectionKind } from '../store/guide-store.ts'

const MAX_DEFAULTS = 200
export const ALL_DOCUMENTS = '**/*'
/** The collection of what fits the project at hand. */
export const PROJECT_COLLECTION = 'project'
const MAX_ENTRIES = 500
const MAX_MANIFEST_SIZE = 256 * 1024
const BY_FILE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'tsconfig.json': 'typescript',
    'package.json': 'typescript',
    'deno.json': 'typescript',
    'pyproject.toml': 'python',
    'requirements.txt': 'python',
    'setup.py': 'python',
    Pipfile: 'python',
    'go.mod': 'go',
    'Cargo.toml': 'rust',
    'mkdocs.yml': 'docs',
    'docusaurus.config.js': 'docs',
    'docusaurus.config.ts': 'docs',
  }),
)
const BY_EXTENSION: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ts: 'typescript',
    tsx: 'typescript',
    mts: 'typescript',
    js: 'typescript',
    mjs: 'typescript',
    py: 'python',
    go: 'go',
    rs: 'rust',
  }),
)

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

const MAX_NAME = 50

/** The same folder is the same project, by whatever link one came to it. */
export function recordOf(root: string): ProjectRecord {
  const path = realPath(root) ?? resolve(root)
  const key = createHash('sha256').update(path).digest('hex').slice(0, 32)
  return { key, name: (basename(path) || 'root').slice(0, MAX_NAME), path }
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

/** A ready set for a language or a concern. */
interface Profile {
  readonly name: string
  readonly description: string
  readonly collections: readonly {
    readonly name: string
    readonly items: readonly string[]
    readonly description: string
  }[]
}

const language = (name: string, title: string, items: readonly string[]): Profile => ({
  name,
  description: `Rules for a ${title} project`,
  collections: [{ name, items, description: `What to know before writing ${title} here` }],
})

const concern = (name: string, description: string, items: readonly string[]): Profile => ({
  name,
  description,
  collections: [{ name: `${name}-rules`, items, description }],
})

export const profiles: readonly Profile[] = [
  language('typescript', 'TypeScript', [
    'lang/typescript',
    'guidelines/errors+naming+dependencies',
    'testing/unit-tests',
  ]),
  language('python', 'Python', [
    'lang/python',
    'guidelines/errors+naming+dependencies',
    'testing/unit-tests',
  ]),
  language('go', 'Go', ['lang/go', 'guidelines/errors+naming+dependencies', 'testing/unit-tests']),
  language('rust', 'Rust', [
    'lang/rust',
    'guidelines/errors+naming+dependencies',
    'testing/unit-tests',
  ]),
  language('react', 'React', ['framework/react', 'lang/typescript', 'testing/unit-tests']),
  concern('docs', 'Rules for writing documentation', ['docs', 'guidelines/naming']),
  concern('testing', 'Rules for tests', ['testing']),
  concern('security', 'Rules for handling secrets, input and dependencies', [
    'security',
    'guidelines/dependencies',
  ]),
  concern('review', 'Rules for reviewing and being reviewed', [
    'review',
    'workflow/commits+pull-requests',
  ]),
]

export function findProfile(name: string): Profile | undefined {
  return profiles.find((profile) => profile.name === name)
}

/** On the first day every top folder of the docroot is a category; its `_about.md` describes it. */
function defaultCategories(shelf: Shelf): Category[] {
  return shelf.topFolders
    .filter(isName)
    .slice(0, MAX_DEFAULTS)
    .map((name) => ({
      name,
      dir: name,
      patterns: [ALL_DOCUMENTS],
      description: aboutOf(name, shelf),
      isDefault: true,
    }))
}

function defaultCollections(
  categories: ReadonlyMap<string, Category>,
  active: readonly string[],
): Collection[] {
  const ofProfiles = active.flatMap((name) => findProfile(name)?.collections ?? [])
  const general: readonly Omit<Collection, 'isDefault'>[] = [
    {
      name: PROJECT_COLLECTION,
      categories: [
        ...new Set(
          ofProfiles.length > 0 ? ofProfiles.flatMap(({ items }) => items) : ['guidelines'],
        ),
      ],
      description: 'The rules that fit this project',
    },
    {
      name: 'quality',
      categories: ['guidelines', 'testing', 'review'],
      description: 'What makes a change good',
    },
    {
      name: 'shipping',
      categories: ['workflow', 'security', 'docs/changelog'],
      description: 'From a change to a release',
    },
  ]
  return general
    .map((collection) => ({
      ...collection,
      categories: collection.categories.filter((item) => categories.has(item.split('/')[0] ?? '')),
      isDefault: true,
    }))
    .filter((collection) => collection.categories.length > 0)
}

function aboutOf(folder: string, shelf: Shelf): string {
  const about = shelf.find(`${folder}/_about`)
  const read = about && shelf.read(about)
  return read && !isProblem(read) ? (read.description ?? '') : ''
}

/** The profiles that fit what lies in the project's root: marker files first, extensions where there are none. */
export function detectProfiles(root: string): string[] {
  const names = entriesOf(root)
  const byFile = names.flatMap((name) => BY_FILE.get(name) ?? [])
  const byExtension = names.flatMap((name) => BY_EXTENSION.get(name.split('.').at(-1) ?? '') ?? [])
  const found = new Set(byFile.length > 0 ? byFile : byExtension)
  if (names.includes('package.json') && usesReact(root)) found.add('react')
  return [...found].sort()
}

function entriesOf(root: string): string[] {
  try {
    return readdirSync(root).slice(0, MAX_ENTRIES)
  } catch {
    return []
  }
}

/** A look at the text is enough for an offer, and cannot fail on a broken manifest. */
function usesReact(root: string): boolean {
  const head = withFileInside(realPath(root) ?? root, 'package.json', ({ bytes }) =>
    bytes(0, MAX_MANIFEST_SIZE).toString('utf8'),
  )
  return /"(react|preact|next)"\s{0,9}:/.test(head ?? '')
}
