import { join } from 'node:path'
import { parse } from '@decimalturn/toml-patch'
import { agentFolders, type Places, userDataRoot } from '@secretary-mcp/transcripts/places.ts'
import { type Client, configFolder, presentOf } from './client.ts'
import { jsonForm, tomlForm } from './entry-form.ts'
import type { ServerEntry } from './server-entry.ts'
import { yamlForm } from './with-yaml-entry.ts'

const KEY = 'mcp_optional_startup_grace_ms'
const LINE = `${KEY} = 10000`

/**
 * Codex begins a session without servers that are not up after a second: their tools are missing in the first turn. It waits
 * for those marked as required, but then refuses to start at all where one fails; a longer patience does not.
 */
const codexPatience = {
  addition: LINE,
  /** Before everything else: further down it would belong to a table. */
  with: (text: string) => (has(text) ? undefined : `${LINE}\n${text}`),
  without: (text: string) => (has(text) ? text.replace(`${LINE}\n`, '') : undefined),
}

function has(text: string): boolean {
  try {
    return Object.hasOwn(parse(text), KEY)
  } catch {
    throw new SyntaxError('not TOML')
  }
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: the editors fill it in
const WORKSPACE = '${workspaceFolder}'
const mcpServers = jsonForm('mcpServers')
/** opencode and what grew from it name the program and its arguments in one list. */
const openCodeServers = jsonForm('mcp', ({ command, args }: ServerEntry) => ({
  type: 'local',
  command: [command, ...args],
  enabled: true,
}))

type Folder = keyof ReturnType<typeof agentFolders>

/** An agent that keeps its servers in a file of its own folder, the same for all projects. */
function inOwnFolder(
  about: Pick<Client, 'id' | 'label' | 'notes' | 'namesServer'>,
  folder: Folder,
  file: string,
  form = mcpServers,
): Client {
  const at = (places: Places) => agentFolders(places)[folder]
  return {
    ...about,
    traces: (around) => [at(around)],
    file: (around) => join(at(around), file),
    form,
  }
}

export const clients: readonly Client[] = [
  {
    id: 'claude-code',
    label: 'Claude Code',
    namesServer: true,
    traces: (around) => [agentFolders(around).claude],
    // Beside its folder, unless the person moved that.
    file: ({ home, claudeConfig }) => join(claudeConfig ?? home, '.claude.json'),
    sharedFile: (project) => join(project, '.mcp.json'),
    form: mcpServers,
  },
  {
    id: 'claude-desktop',
    label: 'Claude Desktop',
    traces: (around) => [join(userDataRoot(around), 'Claude')],
    file: (around) => join(userDataRoot(around), 'Claude', 'claude_desktop_config.json'),
    form: mcpServers,
  },
  {
    id: 'vscode',
    label: 'VS Code',
    projectVariable: WORKSPACE,
    traces: (around) => [join(userDataRoot(around), 'Code')],
    file: (around) => join(userDataRoot(around), 'Code', 'User', 'mcp.json'),
    sharedFile: (project) => join(project, '.vscode', 'mcp.json'),
    form: jsonForm('servers', (entry) => ({ type: 'stdio', ...entry })),
  },
  {
    id: 'cursor',
    label: 'Cursor',
    projectVariable: WORKSPACE,
    traces: ({ home }) => [join(home, '.cursor')],
    file: ({ home }) => join(home, '.cursor', 'mcp.json'),
    sharedFile: (project) => join(project, '.cursor', 'mcp.json'),
    form: mcpServers,
  },
  {
    ...inOwnFolder(
      {
        id: 'codex',
        label: 'Codex',
        namesServer: true,
        notes: ['Codex runs new hooks once you have trusted them: type /hooks in it.'],
      },
      'codex',
      'config.toml',
      tomlForm,
    ),
    patience: codexPatience,
  },
  inOwnFolder(
    { id: 'gemini-cli', label: 'Gemini CLI', namesServer: true },
    'gemini',
    'settings.json',
  ),
  inOwnFolder(
    { id: 'copilot-cli', label: 'Copilot CLI', namesServer: true },
    'copilot',
    'mcp-config.json',
    jsonForm('mcpServers', (entry) => ({ type: 'local', ...entry, tools: ['*'] })),
  ),
  {
    id: 'opencode',
    label: 'opencode',
    namesServer: true,
    traces: (around) => [join(configFolder(around), 'opencode')],
    file: (around) =>
      presentOf(
        join(configFolder(around), 'opencode', 'opencode.json'),
        join(configFolder(around), 'opencode', 'opencode.jsonc'),
      ),
    form: openCodeServers,
  },
  inOwnFolder({ id: 'qwen-code', label: 'Qwen Code', namesServer: true }, 'qwen', 'settings.json'),
  inOwnFolder(
    { id: 'cline-cli', label: 'Cline CLI' },
    'cline',
    join('settings', 'cline_mcp_settings.json'),
  ),
  {
    id: 'kilo',
    label: 'Kilo',
    namesServer: true,
    traces: (around) => [join(configFolder(around), 'kilo')],
    file: (around) =>
      presentOf(
        join(configFolder(around), 'kilo', 'kilo.jsonc'),
        join(configFolder(around), 'kilo', 'kilo.json'),
      ),
    form: openCodeServers,
  },
  inOwnFolder({ id: 'continue', label: 'Continue' }, 'continue', 'config.yaml', yamlForm),
  inOwnFolder(
    { id: 'droid', label: 'Droid', namesServer: true },
    'factory',
    'mcp.json',
    jsonForm('mcpServers', (entry) => ({ type: 'stdio', ...entry })),
  ),
  inOwnFolder({ id: 'kimi', label: 'Kimi Code' }, 'kimi', 'mcp.json'),
]
