import { readdirSync } from 'node:fs'
import { withFileInside } from '@secretary-mcp/core/files/read-inside.ts'
import { isProblem } from '../documents/document.ts'
import type { Shelf } from '../documents/library.ts'
import { realPath } from '../documents/real-path.ts'
import { isName } from '../names.ts'
import type { Category, Collection } from './project.ts'

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

const MOST_DEFAULTS = 200
export const ALL_DOCUMENTS = '**/*'
/** The collection of what fits the project at hand. */
export const PROJECT_COLLECTION = 'project'

/** On the first day every top folder of the docroot is a category; its `_about.md` describes it. */
export function defaultCategories(shelf: Shelf): Category[] {
  return shelf.topFolders
    .filter(isName)
    .slice(0, MOST_DEFAULTS)
    .map((name) => ({
      name,
      dir: name,
      patterns: [ALL_DOCUMENTS],
      description: aboutOf(name, shelf),
      isDefault: true,
    }))
}

export function defaultCollections(
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

const MOST_ENTRIES = 500
const LARGEST_MANIFEST = 256 * 1024

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
    return readdirSync(root).slice(0, MOST_ENTRIES)
  } catch {
    return []
  }
}

/** A look at the text is enough for an offer, and cannot fail on a broken manifest. */
function usesReact(root: string): boolean {
  const head = withFileInside(realPath(root) ?? root, 'package.json', ({ bytes }) =>
    bytes(0, LARGEST_MANIFEST).toString('utf8'),
  )
  return /"(react|preact|next)"\s{0,9}:/.test(head ?? '')
}
