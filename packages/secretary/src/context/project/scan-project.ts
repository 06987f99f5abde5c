import { basename } from 'node:path'
import { moduleOf } from '@secretary-mcp/search/module-of.ts'
import { createProjectTree, type ProjectTree, under } from '../imports/project-tree.ts'
import { readManifests } from './manifest.ts'
import { type ProjectType, projectTypeOf, stackOf } from './stack.ts'

export interface ProjectModule {
  readonly name: string
  readonly folder: string
  /** Paths within the project. */
  readonly files: readonly string[]
}

export interface ProjectScan {
  readonly name: string
  readonly description?: string
  readonly languages: readonly string[]
  readonly stack: readonly string[]
  readonly packageManager?: string
  readonly type: ProjectType
  readonly architecture: 'monorepo' | 'modular' | 'flat'
  readonly modules: readonly ProjectModule[]
}

const PACKAGE_MANAGERS: Readonly<Record<string, string>> = {
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
  'package-lock.json': 'npm',
  'uv.lock': 'uv',
  'poetry.lock': 'poetry',
  'Pipfile.lock': 'pipenv',
  'requirements.txt': 'pip',
  'Cargo.lock': 'cargo',
  'go.sum': 'go',
  'go.mod': 'go',
  'Gemfile.lock': 'bundler',
  'composer.lock': 'composer',
  'pom.xml': 'maven',
  'build.gradle': 'gradle',
  'build.gradle.kts': 'gradle',
}
const WORKSPACES = ['packages', 'apps', 'crates', 'services', 'libs']
const LEFT_OUT = /^(\.|node_modules$|dist$|build$|target$|vendor$|__pycache__$|coverage$)/
const MOST_MODULES = 100
const MOST_FILES = 10_000

/** What a newcomer would find out in the first minute, from manifests, lock files and folders. Nothing is written. */
export async function scanProject(root: string): Promise<ProjectScan> {
  const tree = createProjectTree(root)
  const manifests = await readManifests(tree)
  const files = await tree.filesIn('')
  const modules = await modulesOf(tree)
  const dependencies = manifests.flatMap((manifest) => manifest.dependencies)
  const stack = stackOf(dependencies)
  const folders = await tree.foldersIn('')
  return {
    name: manifests.find(({ name }) => name)?.name ?? basename(root),
    description: manifests.find(({ description }) => description)?.description,
    languages: [...new Set(manifests.map(({ language }) => language))],
    stack,
    packageManager: Object.entries(PACKAGE_MANAGERS).find(([lock]) => files.includes(lock))?.[1],
    type: projectTypeOf(
      stack,
      manifests.some(({ hasCommand }) => hasCommand),
    ),
    architecture: WORKSPACES.some((name) => folders.includes(name))
      ? 'monorepo'
      : modules.some(({ folder }) => folder.includes('/'))
        ? 'modular'
        : 'flat',
    modules,
  }
}

/** The same modules that a file's own answer names, with the folder of each that comes first. */
async function modulesOf(tree: ProjectTree): Promise<ProjectModule[]> {
  const found = new Map<string, string[]>()
  for (const path of await filesBelow(tree, '', MOST_FILES)) {
    const name = moduleOf(path)
    const files = found.get(name)
    if (files) files.push(path)
    else if (found.size < MOST_MODULES) found.set(name, [path])
  }
  return [...found].map(([name, files]) => ({
    name,
    folder: folderOf(name, files[0] ?? ''),
    files,
  }))
}

function folderOf(name: string, path: string): string {
  const folders = path.split('/').slice(0, -1)
  return folders.slice(0, folders.indexOf(name) + 1).join('/') || '.'
}

/** Files of a folder and its folders, in order, up to a limit. */
async function filesBelow(tree: ProjectTree, folder: string, most: number): Promise<string[]> {
  const found = (await tree.filesIn(folder)).slice(0, most).map((name) => under(folder, name))
  for (const name of await tree.foldersIn(folder)) {
    if (found.length >= most) break
    if (!LEFT_OUT.test(name))
      found.push(...(await filesBelow(tree, under(folder, name), most - found.length)))
  }
  return found
}
