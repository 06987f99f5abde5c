import type { ResourceEntry, ResourceProvider } from '@secretary-mcp/core/resource.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { Context } from './context.ts'
import {
  moduleMarkdown,
  overviewMarkdown,
  sessionMarkdown,
  sessionsMarkdown,
} from './project/markdown.ts'
import { scanProject } from './project/scan-project.ts'

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
