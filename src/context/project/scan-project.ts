import { basename } from 'node:path'
import { createProjectTree, type ProjectTree, under } from '../imports/project-tree.ts'
import { readManifests } from './manifest.ts'
import { type ProjectType, projectTypeOf, stackOf } from './stack.ts'

export interface ProjectModule {
  readonly name: string
  readonly folder: string
  readonly files: number
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
const HOLDERS = [...WORKSPACES, 'src', 'lib', 'app', 'internal', 'cmd', 'pkg']
const LEFT_OUT = /^(\.|node_modules$|dist$|build$|target$|vendor$|__pycache__$|coverage$)/
const MOST_MODULES = 100

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
      : modules.length > 0
        ? 'modular'
        : 'flat',
    modules,
  }
}

async function modulesOf(tree: ProjectTree): Promise<ProjectModule[]> {
  const found: ProjectModule[] = []
  for (const holder of HOLDERS) {
    for (const name of await tree.foldersIn(holder)) {
      if (LEFT_OUT.test(name) || found.length >= MOST_MODULES) continue
      const folder = under(holder, name)
      const files = (await filesBelow(tree, folder, 500)).length
      if (files > 0) found.push({ name, folder, files })
    }
  }
  return found
}

/** Files of a folder and its folders, in order, at most so many. */
export async function filesBelow(
  tree: ProjectTree,
  folder: string,
  most: number,
): Promise<string[]> {
  const found = (await tree.filesIn(folder)).slice(0, most).map((name) => under(folder, name))
  for (const name of await tree.foldersIn(folder)) {
    if (found.length >= most) break
    if (!LEFT_OUT.test(name))
      found.push(...(await filesBelow(tree, under(folder, name), most - found.length)))
  }
  return found
}
