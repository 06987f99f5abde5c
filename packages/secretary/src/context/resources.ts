import type { ResourceEntry, ResourceProvider } from '@secretary-mcp/core/prompts-and-resources.ts'
import { quoteBlock, quoteLine } from '@secretary-mcp/core/quote.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { type FileAccess, type Session, sessionStatus } from './access/access.ts'
import type { Context } from './context.ts'
import type { CheckedDiscovery } from './discoveries/discoveries.ts'
import { type ProjectModule, type ProjectScan, scanProject } from './project/scan-project.ts'

const MOST_FILES = 100

const mimeType = 'text/markdown'
const MOST_DISCOVERIES = 20
const MOST_SESSIONS = 50

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
        await context.recentSessions(caller, Math.min(Math.max(limit, 1), MOST_SESSIONS)),
        Date.now(),
      )
    }
    return undefined
  }

  async function overviewText(caller: Caller): Promise<string> {
    const [scan, { discoveries }, { files }] = await Promise.all([
      scanProject(caller.project),
      context.discoveries(caller, { limit: MOST_DISCOVERIES }),
      context.topFiles(caller, 10),
    ])
    return overviewMarkdown(scan, discoveries, files)
  }

  async function moduleText(name: string, caller: Caller): Promise<string | undefined> {
    const module = (await modulesOf(caller)).find((candidate) => candidate.name === name)
    const { discoveries } = await context.discoveries(caller, {
      module: name,
      limit: MOST_DISCOVERIES,
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
  const more = files.length - MOST_FILES
  const lines = files.slice(0, MOST_FILES).map((path) => `- ${quoteLine(path)}`)
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
