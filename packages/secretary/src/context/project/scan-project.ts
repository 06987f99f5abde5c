import { basename } from 'node:path'
import { moduleOf } from '@secretary-mcp/search/ranking/file-role.ts'
import { createProjectTree, type ProjectTree, under } from '../imports/language-imports.ts'

const LONGEST_LINE = 1_000

/** Packages that say what a project is made with. */
const KNOWN: Readonly<Record<string, string>> = {
  react: 'React',
  next: 'Next.js',
  vue: 'Vue',
  nuxt: 'Nuxt',
  svelte: 'Svelte',
  '@angular/core': 'Angular',
  astro: 'Astro',
  express: 'Express',
  fastify: 'Fastify',
  hono: 'Hono',
  koa: 'Koa',
  '@nestjs/core': 'NestJS',
  electron: 'Electron',
  typescript: 'TypeScript',
  vite: 'Vite',
  tailwindcss: 'Tailwind CSS',
  prisma: 'Prisma',
  kysely: 'Kysely',
  'drizzle-orm': 'Drizzle',
  pg: 'PostgreSQL',
  mongoose: 'MongoDB',
  redis: 'Redis',
  graphql: 'GraphQL',
  vitest: 'Vitest',
  jest: 'Jest',
  playwright: 'Playwright',
  '@playwright/test': 'Playwright',
  '@modelcontextprotocol/sdk': 'MCP',
  '@modelcontextprotocol/server': 'MCP',
  django: 'Django',
  flask: 'Flask',
  fastapi: 'FastAPI',
  sqlalchemy: 'SQLAlchemy',
  pydantic: 'Pydantic',
  pytest: 'pytest',
  numpy: 'NumPy',
  pandas: 'pandas',
  torch: 'PyTorch',
  rails: 'Rails',
  sinatra: 'Sinatra',
  'laravel/framework': 'Laravel',
  'symfony/framework-bundle': 'Symfony',
  axum: 'axum',
  'actix-web': 'Actix',
  tokio: 'Tokio',
  serde: 'Serde',
  clap: 'clap',
  'github.com/gin-gonic/gin': 'Gin',
  'github.com/labstack/echo': 'Echo',
  'github.com/spf13/cobra': 'Cobra',
  'spring-boot': 'Spring Boot',
}
const FRONT = /^(React|Vue|Svelte|Angular)$/
const WHOLE = /^(Next\.js|Nuxt|Astro|Rails|Django|Laravel|Symfony)$/
const SERVER =
  /^(Express|Fastify|Hono|Koa|NestJS|Flask|FastAPI|Sinatra|axum|Actix|Gin|Echo|Spring Boot)$/
const COMMAND = /^(clap|Cobra)$/

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

type ProjectType = 'cli' | 'web-app' | 'api' | 'library' | 'fullstack'

function stackOf(dependencies: readonly string[]): string[] {
  const plain = dependencies.map((name) => name.toLowerCase())
  return [
    ...new Set(
      Object.entries(KNOWN).flatMap(([name, title]) =>
        plain.some((known) => isNamed(known, name)) ? [title] : [],
      ),
    ),
  ]
}

/** A Go module may carry a major version, a Spring starter a longer name. */
function isNamed(dependency: string, name: string): boolean {
  return (
    dependency === name ||
    dependency.startsWith(`${name}/v`) ||
    (name === 'spring-boot' && dependency.includes(name))
  )
}

function projectTypeOf(stack: readonly string[], hasCommand: boolean): ProjectType {
  const has = (kind: RegExp) => stack.some((title) => kind.test(title))
  if (has(WHOLE) || (has(FRONT) && has(SERVER))) return 'fullstack'
  if (has(FRONT)) return 'web-app'
  if (hasCommand || has(COMMAND)) return 'cli'
  return has(SERVER) ? 'api' : 'library'
}

interface Manifest {
  readonly file: string
  readonly language: string
  readonly name?: string
  readonly description?: string
  readonly dependencies: readonly string[]
  readonly hasCommand: boolean
}

type Reader = (text: string) => Omit<Manifest, 'file' | 'language'>

/** By file name: the language it stands for and how it is read. A broken manifest says nothing and does no harm. */
const READERS: Readonly<Record<string, readonly [string, Reader]>> = {
  'package.json': ['JavaScript', readPackageJson],
  'pyproject.toml': ['Python', readPyproject],
  'requirements.txt': [
    'Python',
    (text) => ({ dependencies: names(text, /^([A-Za-z][\w.-]*)/gm), hasCommand: false }),
  ],
  'Cargo.toml': ['Rust', readCargo],
  'go.mod': ['Go', readGoMod],
  Gemfile: [
    'Ruby',
    (text) => ({ dependencies: names(text, /^[ \t]*gem[ \t]+['"]([^'"]+)/gm), hasCommand: false }),
  ],
  'composer.json': ['PHP', readComposer],
  'pom.xml': ['Java', readPom],
  'build.gradle': [
    'Java',
    (text) => ({ dependencies: names(text, /['"][\w.-]+:([\w.-]+):/g), hasCommand: false }),
  ],
  'build.gradle.kts': [
    'Kotlin',
    (text) => ({ dependencies: names(text, /['"][\w.-]+:([\w.-]+):/g), hasCommand: false }),
  ],
  'CMakeLists.txt': [
    'C/C++',
    (text) => ({
      name: first(text, /project\s*\(\s*([\w-]+)/i),
      dependencies: [],
      hasCommand: false,
    }),
  ],
}

async function readManifests(tree: ProjectTree): Promise<Manifest[]> {
  const files = new Set(await tree.filesIn(''))
  const found: Manifest[] = []
  for (const [file, [language, read]] of Object.entries(READERS))
    if (files.has(file)) {
      const text = await tree.text(file)
      found.push({ file, language, ...read(file.endsWith('.json') ? text : plainLines(text)) })
    }
  const csproj = [...files].find((name) => name.endsWith('.csproj') || name.endsWith('.sln'))
  if (csproj)
    found.push({
      file: csproj,
      language: 'C#',
      name: basename(csproj).replace(/\.\w+$/, ''),
      dependencies: [],
      hasCommand: false,
    })
  return found
}

/** A manifest that a person wrote has short lines; long runs of blanks are there to keep a pattern busy. */
function plainLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && line.length <= LONGEST_LINE)
    .join('\n')
}

function readPackageJson(text: string) {
  const { name, description, bin, dependencies, devDependencies } = parsed(text)
  return {
    name: textOf(name),
    description: textOf(description),
    dependencies: [...keysOf(dependencies), ...keysOf(devDependencies)],
    hasCommand: bin !== undefined,
  }
}

function readComposer(text: string) {
  const { name, description, bin, require } = parsed(text)
  return {
    name: textOf(name),
    description: textOf(description),
    dependencies: keysOf(require),
    hasCommand: bin !== undefined,
  }
}

function readPyproject(text: string) {
  return {
    name: first(text, /^name\s*=\s*["']([^"']+)/m),
    description: first(text, /^description\s*=\s*["']([^"']+)/m),
    dependencies: [
      ...names(text, /^[ \t]*["']([A-Za-z][\w.-]*)/gm),
      ...names(text, /^([A-Za-z][\w-]*)\s*=\s*["'{]/gm),
    ],
    hasCommand: /^\[(project\.scripts|tool\.poetry\.scripts)\]/m.test(text),
  }
}

function readCargo(text: string) {
  const dependencies = text
    .split(/^\[/m)
    .filter((section) => /^[\w.-]*dependencies\]/.test(section))
  return {
    name: first(text, /^\[package\][^[]*?^name\s*=\s*"([^"]+)/m),
    description: first(text, /^description\s*=\s*"([^"]+)/m),
    dependencies: dependencies.flatMap((section) => names(section, /^([\w-]+)\s*=/gm)),
    hasCommand: /^\[\[bin\]\]/m.test(text),
  }
}

function readGoMod(text: string) {
  return {
    name: first(text, /^module\s+(\S+)/m)
      ?.split('/')
      .at(-1),
    dependencies: names(text, /^[ \t]*(?:require[ \t]+)?([\w-]{1,100}\.[\w./-]{1,300})[ \t]+v/gm),
    hasCommand: false,
  }
}

function readPom(text: string) {
  return {
    name: first(text.slice(text.indexOf('</parent>') + 1), /<artifactId>([^<]+)/),
    dependencies: names(text, /<artifactId>([^<]+)/g),
    hasCommand: false,
  }
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

const keysOf = (value: unknown) =>
  value !== null && typeof value === 'object' ? Object.keys(value) : []

const textOf = (value: unknown) =>
  typeof value === 'string' && value !== '' ? value.slice(0, 300) : undefined

const first = (text: string, pattern: RegExp) => textOf(pattern.exec(text)?.[1])

const names = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].flatMap(([, name]) => (name ? [name] : []))
