import { join } from 'node:path'
import { parse } from '@decimalturn/toml-patch'
import { agentFolders, type Places, userDataRoot } from '@secretary-mcp/transcripts/places.ts'
import { type Document, isSeq, parseDocument } from 'yaml'
import { type Client, configFolder, presentOf } from './client.ts'
import { type EntryForm, jsonForm, tomlForm } from './entry-form.ts'
import type { ServerEntry } from './server-entry.ts'
import { isRecord } from './with-json-value.ts'

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

const named = (entry: ServerEntry) => ({ name: 'secretary', ...entry })

/** A list of servers, each with its name, in a file of YAML whose comments stay. */
const yamlForm: EntryForm = {
  with(text, entry) {
    const file = understood(text)
    if (placeOf(file) !== -1) return undefined
    if (isSeq(file.get(YAML_KEY))) file.addIn([YAML_KEY], file.createNode(named(entry)))
    else file.set(YAML_KEY, file.createNode([named(entry)]))
    return file.toString()
  },
  without(text) {
    const file = understood(text)
    const place = placeOf(file)
    if (place === -1) return undefined
    file.deleteIn([YAML_KEY, place])
    return file.toString()
  },
  found: (text) => serversIn(understood(text)).filter(isOfOurName),
  shape: named,
  byHand({ command, args }) {
    return `${YAML_KEY}:\n  - name: secretary\n    command: ${command}\n    args: ${JSON.stringify(args)}`
  },
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

const YAML_KEY = 'mcpServers'

function placeOf(file: Document): number {
  return serversIn(file).findIndex(isOfOurName)
}

function serversIn(file: Document): unknown[] {
  const servers: unknown = file.toJS()?.[YAML_KEY] ?? []
  if (!Array.isArray(servers)) throw new SyntaxError(`${YAML_KEY} is not a list`)
  return servers
}

function isOfOurName(server: unknown): boolean {
  return isRecord(server) && server.name === 'secretary'
}

function understood(text: string): Document {
  const file = parseDocument(text.trim() === '' ? '{}\n' : text)
  const isMap = file.contents !== null && !Array.isArray(file.toJS())
  if (file.errors.length > 0 || typeof file.toJS() !== 'object' || !isMap)
    throw new SyntaxError('not a YAML mapping')
  return file
}
