import { basename } from 'node:path'
import type { ResourceEntry, ResourceProvider } from '@secretary-mcp/core/prompts-and-resources.ts'
import { quoteBlock, quoteLine } from '@secretary-mcp/core/quote.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { moduleOf } from '@secretary-mcp/search/ranking/file-role.ts'
import { type FileAccess, type Session, sessionStatus } from './access/access.ts'
import type { Context } from './context.ts'
import type { CheckedDiscovery } from './discoveries/discoveries.ts'
import { createProjectTree, type ProjectTree, under } from './imports/language-imports.ts'

const MAX_LINE = 1_000
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
const MAX_MODULES = 100
const MAX_SCANNED = 10_000

const MAX_FILES = 100

const mimeType = 'text/markdown'
const MAX_DISCOVERIES = 20
const MAX_SESSIONS = 50

const FIXED: readonly ResourceEntry[] = [
  {
    uri: 'context://project/overview',
    name: 'Project overview',
    description: 'Stack, modules, decisions, files at hand',
    mimeType,
  },
  {
    uri: 'context://session/current',
    name: 'Current session',
    description: 'What this session has touched so far',
    mimeType,
  },
  {
    uri: 'context://sessions/recent',
    name: 'Recent sessions',
    description: 'The last sessions in this project',
    mimeType,
  },
]

/** The project's knowledge as documents, for clients that attach resources. */
export function createContextResources(context: Context): ResourceProvider {
  const modulesOf = async ({ project }: Caller) => (await scanProject(project)).modules
  return {
    scheme: 'context',
    templates: [
      {
        uriTemplate: 'context://module/{name}',
        name: 'Module',
        description: 'Files and discoveries of one module',
        mimeType,
      },
      {
        uriTemplate: 'context://sessions/recent{?limit}',
        name: 'Recent sessions',
        description: 'The most recent sessions',
        mimeType,
      },
    ],

    async list(caller) {
      const modules = await modulesOf(caller)
      return [
        ...FIXED,
        ...modules.map(({ name, folder }) => ({
          uri: `context://module/${encodeURIComponent(name)}`,
          name: `Module ${name}`,
          description: folder,
          mimeType,
        })),
      ]
    },

    async read(uri, caller) {
      const text = await textOf(uri, caller)
      return text === undefined ? undefined : { mimeType, text }
    },

    async complete(_template, variable, typed, caller) {
      if (variable !== 'name') return []
      return (await modulesOf(caller))
        .map(({ name }) => name)
        .filter((name) => name.startsWith(typed))
    },
  }

  async function textOf(uri: string, caller: Caller): Promise<string | undefined> {
    const { host, pathname, searchParams } = parse(uri)
    if (host === 'module') return moduleText(decoded(pathname.slice(1)), caller)
    if (host === 'project' && pathname === '/overview') return overviewText(caller)
    if (host === 'session' && pathname === '/current')
      return sessionMarkdown(await context.currentSession(caller), Date.now())
    if (host === 'sessions' && pathname === '/recent') {
      const limit = Math.trunc(Number(searchParams.get('limit') ?? 10)) || 10
      return sessionsMarkdown(
        await context.recentSessions(caller, Math.min(Math.max(limit, 1), MAX_SESSIONS)),
        Date.now(),
      )
    }
    return undefined
  }

  async function overviewText(caller: Caller): Promise<string> {
    const [scan, { discoveries }, { files }] = await Promise.all([
      scanProject(caller.project),
      context.discoveries(caller, { limit: MAX_DISCOVERIES }),
      context.topFiles(caller, 10),
    ])
    return overviewMarkdown(scan, discoveries, files)
  }

  async function moduleText(name: string, caller: Caller): Promise<string | undefined> {
    const module = (await modulesOf(caller)).find((candidate) => candidate.name === name)
    const { discoveries } = await context.discoveries(caller, {
      module: name,
      limit: MAX_DISCOVERIES,
    })
    if (!module && discoveries.length === 0) return undefined
    return moduleMarkdown(name, module, discoveries)
  }
}

/** In `context://project/overview` the host is `project`. */
function parse(uri: string): { host: string; pathname: string; searchParams: URLSearchParams } {
  const [, host = '', pathname = '', query = ''] =
    /^context:\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?/.exec(uri) ?? []
  return { host, pathname, searchParams: new URLSearchParams(query) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function overviewMarkdown(
  scan: ProjectScan,
  discoveries: readonly CheckedDiscovery[],
  files: readonly FileAccess[],
): string {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Type', scan.type],
    ['Architecture', scan.architecture],
    ['Languages', scan.languages.join(', ')],
    ['Stack', scan.stack.join(', ')],
    ['Package manager', scan.packageManager],
  ]
  return document(
    `# ${quoteLine(scan.name)}`,
    scan.description && quoteBlock(scan.description),
    facts
      .flatMap(([label, value]) => (value ? [`- ${label}: ${quoteLine(value)}`] : []))
      .join('\n'),
    section('Modules', scan.modules.map(moduleLine)),
    section('Discoveries', discoveries.map(discoveryLine)),
    section(
      'Files at hand',
      files.map(
        ({ path, count, score }) =>
          `- ${quoteLine(path)} (read ${count}×, score ${score.toFixed(2)})`,
      ),
    ),
  )
}

export function moduleMarkdown(
  name: string,
  module: ProjectModule | undefined,
  discoveries: readonly CheckedDiscovery[],
): string {
  const files = module?.files ?? []
  const more = files.length - MAX_FILES
  const lines = files.slice(0, MAX_FILES).map((path) => `- ${quoteLine(path)}`)
  return document(
    `# Module ${quoteLine(name)}`,
    module && `Folder: ${quoteLine(module.folder)}`,
    section('Discoveries', discoveries.map(discoveryLine)),
    section('Files', more > 0 ? [...lines, `- … and ${more} more`] : lines),
  )
}

export function sessionMarkdown(session: Session, nowMs: number): string {
  return document(
    `# Session ${quoteLine(session.id)}`,
    [
      `- Status: ${sessionStatus(session, nowMs)}`,
      `- Started: ${session.startedAt}`,
      `- Last active: ${session.lastActiveAt}`,
      `- Tool calls: ${session.calls}`,
      ...(session.client ? [`- Client: ${quoteLine(session.client)}`] : []),
    ].join('\n'),
    section(
      'Files',
      session.files.map(
        ({ path, count, last }) => `- ${quoteLine(path)} (${count}×, last ${last})`,
      ),
    ),
    section(
      'Topics',
      session.topics.map((topic) => `- ${quoteLine(topic)}`),
    ),
  )
}

export function sessionsMarkdown(sessions: readonly Session[], nowMs: number): string {
  const lines = sessions.map((session) => {
    const { id, lastActiveAt, calls, files, topics } = session
    const about = topics.length > 0 ? `: ${quoteLine(topics.slice(-3).join('; '))}` : ''
    return `- ${lastActiveAt} ${sessionStatus(session, nowMs)} ${quoteLine(id)}, ${calls} calls, ${files.length} files${about}`
  })
  return document('# Recent sessions', lines.length > 0 ? lines.join('\n') : 'None yet.')
}

function discoveryLine(discovery: CheckedDiscovery): string {
  const { type, content, module, date, changedFiles, newer, space, by } = discovery
  const followed = newer ? ` **superseded** by ${newer}` : ''
  const recheck =
    changedFiles.length > 0
      ? ` **needs_recheck**: changed since: ${quoteLine(changedFiles.join(', '))}`
      : ''
  // Of a colleague's, the author and the space come first, so that it is never read as the person's own.
  const author = space ? `${quoteLine(by ?? 'somebody')} in the space ${quoteLine(space)}: ` : ''
  return `- [${type}]${module ? ` (${quoteLine(module)})` : ''} ${author}${quoteLine(content)} (${date.slice(0, 10)})${followed}${recheck}`
}

function moduleLine({ name, folder, files }: ProjectModule): string {
  return `- ${quoteLine(name)}: ${quoteLine(folder)} (${files.length} files)`
}

function section(title: string, lines: readonly string[]): string | undefined {
  return lines.length > 0 ? `## ${title}\n${lines.join('\n')}` : undefined
}

function document(...parts: (string | undefined)[]): string {
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

interface ProjectModule {
  readonly name: string
  readonly folder: string
  /** Paths within the project. */
  readonly files: readonly string[]
}

interface ProjectScan {
  readonly name: string
  readonly description?: string
  readonly languages: readonly string[]
  readonly stack: readonly string[]
  readonly packageManager?: string
  readonly type: ProjectType
  readonly architecture: 'monorepo' | 'modular' | 'flat'
  readonly modules: readonly ProjectModule[]
}

/** What a newcomer would find out in the first minute, from manifests, lock files and folders. Nothing is written. */
async function scanProject(root: string): Promise<ProjectScan> {
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
  for (const path of await filesBelow(tree, '', MAX_SCANNED)) {
    const name = moduleOf(path)
    const files = found.get(name)
    if (files) files.push(path)
    else if (found.size < MAX_MODULES) found.set(name, [path])
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
    .filter((line) => line !== '' && line.length <= MAX_LINE)
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
