import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ServerEntry } from './server-entry.ts'
import { withJsonEntry } from './with-json-entry.ts'
import { tomlEntry, withTomlEntry } from './with-toml-entry.ts'

export interface Surroundings {
  readonly homeFolder: string
  readonly platform: NodeJS.Platform
  readonly project: string
}

/** A program that can start our server, and the file in which it looks for servers. */
export interface Client {
  readonly id: string
  readonly label: string
  /** Whether the file belongs to one project: such files are shared, so no path of this machine goes into them. */
  readonly isPerProject: boolean
  /** How the client writes the project's folder; it starts servers there where it has no word for it. */
  readonly projectVariable?: string
  /** What is on a machine that has it: one of them is enough. */
  traces(around: Surroundings): string[]
  file(around: Surroundings): string
  /** The file's new text; undefined where it has an entry for us already. Throws where the text is not understood. */
  merge(text: string, entry: ServerEntry): string | undefined
  /** What a person would add by hand. */
  byHand(entry: ServerEntry): string
}

const inHome =
  (...parts: string[]) =>
  ({ homeFolder }: Surroundings) => [join(homeFolder, ...parts)]

function appData({ homeFolder, platform }: Surroundings, name: string): string {
  if (platform === 'darwin') return join(homeFolder, 'Library', 'Application Support', name)
  if (platform === 'win32') return join(homeFolder, 'AppData', 'Roaming', name)
  return join(homeFolder, '.config', name)
}

const asJson =
  (key: string, more: object = {}) =>
  (entry: ServerEntry) =>
    JSON.stringify({ [key]: { secretary: { ...more, ...entry } } }, null, 2)

// biome-ignore lint/suspicious/noTemplateCurlyInString: the editors fill it in
const WORKSPACE = '${workspaceFolder}'

export const clients: readonly Client[] = [
  {
    id: 'claude-code',
    label: 'Claude Code (this project)',
    isPerProject: true,
    traces: inHome('.claude'),
    file: ({ project }) => join(project, '.mcp.json'),
    merge: (text, entry) => withJsonEntry(text, 'mcpServers', entry),
    byHand: asJson('mcpServers'),
  },
  {
    id: 'claude-desktop',
    label: 'Claude Desktop',
    isPerProject: false,
    traces: (around) => [appData(around, 'Claude')],
    file: (around) => join(appData(around, 'Claude'), 'claude_desktop_config.json'),
    merge: (text, entry) => withJsonEntry(text, 'mcpServers', entry),
    byHand: asJson('mcpServers'),
  },
  {
    id: 'vscode',
    label: 'VS Code (this project)',
    isPerProject: true,
    projectVariable: WORKSPACE,
    traces: (around) => [appData(around, 'Code'), join(around.project, '.vscode')],
    file: ({ project }) => join(project, '.vscode', 'mcp.json'),
    merge: (text, entry) => withJsonEntry(text, 'servers', { type: 'stdio', ...entry }),
    byHand: asJson('servers', { type: 'stdio' }),
  },
  {
    id: 'cursor',
    label: 'Cursor (this project)',
    isPerProject: true,
    projectVariable: WORKSPACE,
    traces: inHome('.cursor'),
    file: ({ project }) => join(project, '.cursor', 'mcp.json'),
    merge: (text, entry) => withJsonEntry(text, 'mcpServers', entry),
    byHand: asJson('mcpServers'),
  },
  {
    id: 'codex',
    label: 'Codex',
    isPerProject: false,
    traces: inHome('.codex'),
    file: ({ homeFolder }) => join(homeFolder, '.codex', 'config.toml'),
    merge: withTomlEntry,
    byHand: (entry) => `[mcp_servers.secretary]\n${tomlEntry(entry)}`,
  },
]

export function isInstalled(client: Client, around: Surroundings): boolean {
  return client.traces(around).some((path) => existsSync(path))
}
