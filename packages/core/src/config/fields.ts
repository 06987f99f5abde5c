import { homedir, hostname, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import * as z from 'zod'
import type { Environment } from './environment.ts'

export interface Surroundings {
  readonly env: Environment
  readonly cwd: string
}

export interface Field<S extends z.ZodType = z.ZodType> {
  readonly describe: string
  readonly env: string
  readonly flag?: string
  readonly secret?: boolean
  /** The empty string is a value; for other fields an empty variable counts as unset. */
  readonly mayBeEmpty?: boolean
  /** The flag alone says `on`. */
  readonly isSwitch?: boolean
  readonly schema: S
  /** The value where nobody set one. */
  readonly fallback: z.output<S> | ((around: Surroundings) => z.output<S>)
  /** How the fallback reads in the documentation, where it is computed. */
  readonly fallbackText?: string
}

const FAMILIES = ['all', 'tasks', 'guide', 'context', 'dialogs']

const text = z.string()
/** A client's settings file has no shell that would expand `~`. */
const folder = text.transform((path) => resolve(path.replace(/^~(?=$|[\\/])/, () => homeOfUser())))
const optionalText = z.string().trim().min(1).optional()
const url = z.url().optional()
const onOff = z.enum(['on', 'off'])
/** A flag without a value, and what JSON would say. */
const toggle = z.preprocess(
  (value) => (value === true ? 'on' : value === false ? 'off' : value),
  onOff,
)
const wholeNumber = (min: number, max: number) => z.coerce.number().int().min(min).max(max)
const list = z.union([
  z.array(z.string()),
  z.string().transform((value) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  ),
])

const field = <S extends z.ZodType>(spec: Field<S>): Field<S> => spec

/** Every setting: one field is one line; help, `.env.example` and the documentation's table come from here. */
// biome-ignore format: a field is a line
export const fields = {
  home: field({ describe: 'Folder for the embedded database, the index and the documents', env: 'SECRETARY_HOME', flag: 'home', schema: folder, fallback: defaultHome, fallbackText: '~/.secretary' }),
  project: field({ describe: 'Root folder of the project', env: 'SECRETARY_PROJECT', flag: 'project', schema: folder, fallback: ({ env, cwd }) => resolve(env.CLAUDE_PROJECT_DIR || cwd), fallbackText: 'CLAUDE_PROJECT_DIR, else the working directory' }),
  allowAnyProject: field({ describe: 'Allow a home folder or the file system root as the project', env: 'SECRETARY_ALLOW_ANY_PROJECT', flag: 'allow-any-project', isSwitch: true, schema: toggle, fallback: 'off' }),
  databaseUrl: field({ describe: 'PostgreSQL for teams: `postgres://…`; SQLite in SECRETARY_HOME otherwise', env: 'SECRETARY_DATABASE_URL', flag: 'database-url', secret: true, schema: z .string() .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://') .optional(), fallback: undefined }),
  databaseDirectUrl: field({ describe: 'The same PostgreSQL without a pooler in between, for events between servers; needed behind PgBouncer in transaction mode', env: 'SECRETARY_DATABASE_DIRECT_URL', secret: true, schema: z .string() .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://') .optional(), fallback: undefined, fallbackText: 'SECRETARY_DATABASE_URL' }),
  replica: field({ describe: 'Name of this server among several on one database, in the metrics', env: 'SECRETARY_REPLICA', flag: 'replica', schema: z.string().min(1).max(100), fallback: () => hostname(), fallbackText: 'the name of the machine' }),
  user: field({ describe: 'User whose tasks and flags are used on stdio, on the command line and on loopback', env: 'SECRETARY_USER', flag: 'user', schema: z.string().min(1).max(200), fallback: () => osUser(), fallbackText: 'the user of the operating system' }),
  families: field({ describe: 'Tool families to offer, separated by commas: tasks, guide, context, dialogs', env: 'SECRETARY_FAMILIES', flag: 'families', schema: list.refine((names) => names.every((name) => FAMILIES.includes(name)), `may contain ${FAMILIES.join(', ')}`), fallback: ['all'], fallbackText: 'all' }),
  tools: field({ describe: 'Tools to offer to agents, separated by commas: `core` (those an agent needs every day), `all`, families, names', env: 'SECRETARY_TOOLS', flag: 'tools', schema: list, fallback: ['all'], fallbackText: 'all' }),
  descriptions: field({ describe: 'Tool descriptions: `full` with schema, usage and examples, `compact` to save tokens', env: 'SECRETARY_DESCRIPTIONS', flag: 'descriptions', schema: z.enum(['full', 'compact']), fallback: 'full' }),
  toolPrefix: field({ describe: 'Default prefix of tool names; the empty string turns it off', env: 'MCP_TOOL_PREFIX', mayBeEmpty: true, schema: z.string().regex(/^[\w-]*$/, 'letters, digits, - and _ only'), fallback: 'guide' }),
  dialogPrefix: field({ describe: 'Prefix of the names of the dialog tools; the empty string turns it off', env: 'SECRETARY_DIALOG_PREFIX', mayBeEmpty: true, flag: 'dialog-prefix', schema: z.string().regex(/^[\w-]*$/, 'letters, digits, - and _ only'), fallback: 'copilot_chat_secretary' }),
  exampleTools: field({ describe: 'Exactly `true` adds the example tool', env: 'MCP_INCLUDE_EXAMPLE_TOOLS', mayBeEmpty: true, schema: z.string(), fallback: '' }),
  rateLimits: field({ describe: 'Whether calls per minute are limited for each user', env: 'SECRETARY_RATE_LIMITS', flag: 'rate-limits', schema: onOff, fallback: 'on' }),
  logLevel: field({ describe: 'Log level on standard error', env: 'SECRETARY_LOG_LEVEL', flag: 'log-level', schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']), fallback: 'warn' }),
  backgroundIndex: field({ describe: '`off`: code is only indexed by `secretary index`, never by a server on its own', env: 'SECRETARY_BACKGROUND_INDEX', flag: 'background-index', schema: onOff, fallback: 'on' }),
  host: field({ describe: 'Address to listen on', env: 'SECRETARY_HOST', flag: 'host', schema: z.string().min(1), fallback: '127.0.0.1' }),
  drainSeconds: field({ describe: 'Seconds between the first signal to stop and closing the port, for a load balancer to notice', env: 'SECRETARY_DRAIN_SECONDS', flag: 'drain-seconds', schema: wholeNumber(0, 300), fallback: 0 }),
  port: field({ describe: 'Port to listen on; 0 picks a free one', env: 'SECRETARY_PORT', flag: 'port', schema: wholeNumber(0, 65535), fallback: 7077 }),
  auth: field({ describe: '`off`: on loopback, HTTP requires no token, so that every account of this machine can call it', env: 'SECRETARY_AUTH', flag: 'auth', schema: onOff, fallback: 'on' }),
  publicUrl: field({ describe: 'Public address of the server, for the OAuth metadata', env: 'SECRETARY_PUBLIC_URL', flag: 'public-url', schema: url, fallback: undefined }),
  allowedHosts: field({ describe: 'Host names to accept besides loopback', env: 'SECRETARY_ALLOWED_HOSTS', flag: 'allowed-hosts', schema: list, fallback: [] as string[], fallbackText: 'none' }),
  allowedOrigins: field({ describe: 'Additional web origins that may call the API', env: 'SECRETARY_ALLOWED_ORIGINS', flag: 'allowed-origins', schema: list, fallback: [] as string[], fallbackText: 'none' }),
  oidcIssuer: field({ describe: 'OpenID provider whose JWTs are accepted', env: 'SECRETARY_OIDC_ISSUER', flag: 'oidc-issuer', schema: url, fallback: undefined }),
  oidcAudience: field({ describe: 'Audience that those JWTs must have; required with an issuer', env: 'SECRETARY_OIDC_AUDIENCE', flag: 'oidc-audience', schema: optionalText, fallback: undefined }),
  oidcJwksUrl: field({ describe: 'Address of the provider’s keys', env: 'SECRETARY_OIDC_JWKS_URL', flag: 'oidc-jwks-url', schema: url, fallback: undefined, fallbackText: 'found through the issuer' }),
  editor: field({ describe: 'Editor that the page opens files in: `vscode`, `cursor`, `idea` or `none`', env: 'SECRETARY_EDITOR', flag: 'editor', schema: z.enum(['vscode', 'cursor', 'idea', 'none']), fallback: 'vscode' }),
  pageInEditor: field({ describe: '`on`: the page may be shown in a tab of VS Code; its extension sets this for the server that it starts', env: 'SECRETARY_PAGE_IN_EDITOR', schema: onOff, fallback: 'off' }),
  docroot: field({ describe: 'Folder of the shared guide documents', env: 'SECRETARY_DOCROOT', flag: 'docroot', schema: folder.optional(), fallback: undefined, fallbackText: 'docroot in SECRETARY_HOME' }),
  embeddingsUrl: field({ describe: 'OpenAI-compatible endpoint for embeddings, instead of the built-in table', env: 'SECRETARY_EMBEDDINGS_URL', schema: url, fallback: undefined }),
  embeddingsModel: field({ describe: 'Embedding model', env: 'SECRETARY_EMBEDDINGS_MODEL', schema: text, fallback: 'text-embedding-3-small' }),
  embeddingsKey: field({ describe: 'Key for that endpoint', env: 'SECRETARY_EMBEDDINGS_KEY', secret: true, schema: optionalText, fallback: undefined }),
  modelUrl: field({ describe: 'OpenAI-compatible endpoint for the chat, such as http://127.0.0.1:11434/v1', env: 'SECRETARY_MODEL_URL', schema: url, fallback: undefined }),
  model: field({ describe: 'Model for the chat; without one the rule-based agent answers', env: 'SECRETARY_MODEL', flag: 'model', schema: optionalText, fallback: undefined }),
  modelKey: field({ describe: 'Key for the chat model', env: 'SECRETARY_MODEL_KEY', secret: true, schema: optionalText, fallback: undefined }),
  modelStrict: field({ describe: 'Strict tool schemas for the chat model; `auto` uses them with api.openai.com alone', env: 'SECRETARY_MODEL_STRICT', schema: z.enum(['auto', 'on', 'off']), fallback: 'auto' }),
  otlpEndpoint: field({ describe: 'OpenTelemetry collector that `secretary serve` sends traces and metrics to, as OTLP over HTTP in JSON, such as http://127.0.0.1:4318', env: 'OTEL_EXPORTER_OTLP_ENDPOINT', schema: url, fallback: undefined }),
  otlpHeaders: field({ describe: 'Headers for that collector: `name=value`, separated by commas', env: 'OTEL_EXPORTER_OTLP_HEADERS', secret: true, schema: optionalText, fallback: undefined }),
  otlpService: field({ describe: 'Name of this service in traces and metrics', env: 'OTEL_SERVICE_NAME', schema: z.string().min(1), fallback: 'secretary' }),
  userHome: field({ describe: 'Home folder in which agents store their dialogs', env: 'HOME', schema: folder, fallback: homeOfUser, fallbackText: 'the home of the user' }),
  session: field({ describe: 'Id of the dialog this server belongs to, if the client knows it', env: 'SECRETARY_SESSION', flag: 'session', schema: optionalText, fallback: undefined }),
  copilotSession: field({ describe: 'Id of the dialog of the Copilot CLI that started this process', env: 'COPILOT_AGENT_SESSION_ID', schema: optionalText, fallback: undefined }),
  qwenSession: field({ describe: 'Id of the dialog of the Qwen Code that started this process', env: 'QWEN_CODE_SESSION_ID', schema: optionalText, fallback: undefined }),
  claudeConfig: field({ describe: 'Claude Code folder, if not ~/.claude', env: 'CLAUDE_CONFIG_DIR', schema: optionalText, fallback: undefined }),
  keepDays: field({ describe: 'How many days a dialog is kept after its last change if its agent has deleted the file; 0 keeps none', env: 'SECRETARY_KEEP_DAYS', flag: 'keep-days', schema: wholeNumber(0, 36500), fallback: 730 }),
  syncKey: field({ describe: 'Key of `secretary sync`, as `secretary sync init` printed it on the first machine; otherwise the one stored in SECRETARY_HOME', env: 'SECRETARY_SYNC_KEY', secret: true, schema: optionalText, fallback: undefined }),
  hookSeconds: field({ describe: 'Seconds after which a hook gives up and says nothing, so that no agent waits for it', env: 'SECRETARY_HOOK_SECONDS', flag: 'hook-seconds', schema: wholeNumber(1, 60), fallback: 2 }),
  editNotes: field({ describe: '`on`: before an agent changes a file, a hook tells it what was asked for and decided about it; `secretary init` writes the hook', env: 'SECRETARY_EDIT_NOTES', flag: 'edit-notes', schema: onOff, fallback: 'off' }),
  watchRules: field({ describe: '`on`: `secretary init` writes the hook that checks the watched rules before an agent runs a command or changes a file', env: 'SECRETARY_WATCH_RULES', flag: 'watch-rules', schema: onOff, fallback: 'off' }),
  hookSpaces: field({ describe: 'Names of spaces, separated by commas, whose tasks, decisions and requests hooks may tell your agents without being asked', env: 'SECRETARY_HOOK_SPACES', flag: 'hook-spaces', schema: list, fallback: [] }),
  codexHome: field({ describe: 'Codex folder, if not ~/.codex', env: 'CODEX_HOME', schema: optionalText, fallback: undefined }),
  geminiHome: field({ describe: 'Folder that holds .gemini, if not the home folder', env: 'GEMINI_CLI_HOME', schema: optionalText, fallback: undefined }),
  copilotHome: field({ describe: 'Copilot CLI folder, if not ~/.copilot', env: 'COPILOT_HOME', schema: optionalText, fallback: undefined }),
  qwenHome: field({ describe: 'Qwen Code folder, if not ~/.qwen', env: 'QWEN_HOME', schema: optionalText, fallback: undefined }),
  clineData: field({ describe: 'Cline CLI data folder, if not ~/.cline/data', env: 'CLINE_DATA_DIR', schema: optionalText, fallback: undefined }),
  continueHome: field({ describe: 'Continue folder, if not ~/.continue', env: 'CONTINUE_GLOBAL_DIR', schema: optionalText, fallback: undefined }),
  piHome: field({ describe: 'pi folder, if not ~/.pi/agent', env: 'PI_CODING_AGENT_DIR', schema: optionalText, fallback: undefined }),
  factoryHome: field({ describe: 'Folder that holds .factory of Droid, if not the home folder', env: 'FACTORY_HOME_OVERRIDE', schema: optionalText, fallback: undefined }),
  kimiHome: field({ describe: 'Kimi Code folder, if not ~/.kimi-code', env: 'KIMI_CODE_HOME', schema: optionalText, fallback: undefined }),
  appData: field({ describe: 'User data folder on Windows', env: 'APPDATA', schema: optionalText, fallback: undefined }),
  xdgConfig: field({ describe: 'Settings folder on Linux, if not ~/.config', env: 'XDG_CONFIG_HOME', schema: optionalText, fallback: undefined }),
  xdgData: field({ describe: 'Data folder on Linux, if not ~/.local/share', env: 'XDG_DATA_HOME', schema: optionalText, fallback: undefined }),
  vscodePortable: field({ describe: 'Data folder of a portable VS Code', env: 'VSCODE_PORTABLE', schema: optionalText, fallback: undefined }),
  vscodeUser: field({ describe: 'User folder of the VS Code that started this server', env: 'SECRETARY_VSCODE_USER', schema: optionalText, fallback: undefined }),
  vscodeChats: field({ describe: 'Folder with the chats of the VS Code window that started this server', env: 'SECRETARY_VSCODE_CHATS', schema: optionalText, fallback: undefined }),
  chatTools: field({ describe: 'Tools the chat may use: only `tasks`, or `all`', env: 'SECRETARY_CHAT_TOOLS', flag: 'chat-tools', schema: z.enum(['tasks', 'all']), fallback: 'tasks' }),
}

function osUser(): string {
  try {
    return userInfo().username
  } catch {
    return 'local'
  }
}

export function defaultHome(): string {
  return join(homeOfUser(), '.secretary')
}

/** An empty HOME would put everything into the working directory. */
function homeOfUser(): string {
  return homedir() || userInfo().homedir
}
