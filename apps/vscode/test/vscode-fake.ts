// The few parts of VS Code's interface that the extension uses, for tests without VS Code. What was registered can be looked at.

type Listener<T> = (event: T) => unknown
type Command = (...args: unknown[]) => unknown
interface Provider {
  provideMcpServerDefinitions(): Promise<unknown[]>
  resolveMcpServerDefinition(server: unknown): Promise<unknown>
}

export class EventEmitter<T> {
  readonly #listeners = new Set<Listener<T>>()
  readonly event = (listener: Listener<T>) => {
    this.#listeners.add(listener)
    return { dispose: () => this.#listeners.delete(listener) }
  }
  fire(event: T): void {
    for (const listener of this.#listeners) listener(event)
  }
  dispose(): void {
    this.#listeners.clear()
  }
}

export class Uri {
  readonly scheme: string
  readonly path: string
  readonly query: string
  private constructor(scheme: string, path: string, query = '') {
    this.scheme = scheme
    this.path = path
    this.query = query
  }
  static from({ scheme, path, query }: { scheme: string; path: string; query?: string }): Uri {
    return new Uri(scheme, path, query)
  }
  get fsPath(): string {
    return this.path
  }
  static file(path: string): Uri {
    return new Uri('file', path)
  }
  static parse(text: string): Uri {
    const { protocol, pathname, search } = new URL(text)
    return new Uri(protocol.slice(0, -1), pathname, search.slice(1))
  }
}

export class ThemeIcon {
  readonly id: string
  constructor(id: string) {
    this.id = id
  }
}

const never = () => ({ dispose() {} })

export const Disposable = { from: never }

export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 }

export class TreeItem {
  readonly label: string
  readonly collapsibleState: number
  constructor(label: string, collapsibleState = 0) {
    this.label = label
    this.collapsibleState = collapsibleState
  }
}

export class RelativePattern {
  readonly base: Uri
  readonly pattern: string
  constructor(base: Uri, pattern: string) {
    this.base = base
    this.pattern = pattern
  }
}

export class LanguageModelTextPart {
  readonly value: string
  constructor(value: string) {
    this.value = value
  }
}

export class LanguageModelToolResult {
  readonly content: unknown[]
  constructor(content: unknown[]) {
    this.content = content
  }
}

export class McpStdioServerDefinition {
  readonly label: string
  readonly command: string
  readonly args: string[]
  readonly env: Record<string, string>
  readonly version?: string
  constructor(
    label: string,
    command: string,
    args: string[],
    env: Record<string, string>,
    version?: string,
  ) {
    this.label = label
    this.command = command
    this.args = args
    this.env = env
    this.version = version
  }
}

/** Everything that was registered or shown since the last `reset`. */
export const seen = {
  commands: new Map<string, Command>(),
  tools: new Map<string, object>(),
  providers: new Map<string, Provider>(),
  views: new Map<string, object>(),
  log: [] as string[],
  shown: [] as string[],
  clipboard: '',
  documents: [] as { content: string; language: string }[],
  answers: [] as unknown[],
  opened: [] as Uri[],
  /** Where the browser of the person reaches what is served here; undefined is the same address. */
  external: undefined as Uri | undefined,
  settings: new Map<string, unknown>(),
  secrets: new Map<string, string>(),
}

export function reset(): void {
  for (const part of [
    seen.commands,
    seen.tools,
    seen.providers,
    seen.views,
    seen.settings,
    seen.secrets,
  ])
    part.clear()
  for (const part of [seen.log, seen.shown, seen.documents, seen.answers, seen.opened])
    part.length = 0
  seen.clipboard = ''
  seen.external = undefined
  workspace.workspaceFolders = undefined
}

const kept = <T>(map: Map<string, T>, name: string, value: T) => {
  map.set(name, value)
  return { dispose: () => void map.delete(name) }
}

export class ThemeColor extends ThemeIcon {}
export const TreeItemCheckboxState = { Unchecked: 0, Checked: 1 }
export const StatusBarAlignment = { Left: 1, Right: 2 }

export class Range {
  readonly start: { line: number }
  readonly end: { line: number }
  constructor(line: number, _from: number, endLine: number) {
    this.start = { line }
    this.end = { line: endLine }
  }
}

export class MarkdownString {
  value: string
  isTrusted?: unknown
  constructor(value = '') {
    this.value = value
  }
  appendMarkdown(text: string): this {
    this.value += text
    return this
  }
  appendText(text: string): this {
    return this.appendMarkdown(text.replace(/[\\`*_{}[\]()#+\-!~]/g, '\\$&'))
  }
}

export class Hover {
  readonly contents: unknown
  constructor(contents: unknown) {
    this.contents = contents
  }
}

export const l10n = {
  t: (text: string, ...given: unknown[]) =>
    text.replace(/\{(\d+)\}/g, (_, place: string) => String(given[Number(place)])),
}

export const languages = { registerHoverProvider: never }
export const chat = { createChatParticipant: never }

export const commands = {
  registerCommand: (name: string, run: Command) => kept(seen.commands, name, run),
  async executeCommand(name: string, ...args: unknown[]): Promise<unknown> {
    if (name === 'setContext') return kept(seen.settings, String(args[0]), args[1])
    const command = seen.commands.get(name)
    if (!command) throw new Error(`command '${name}' not found`)
    return command(...args)
  },
}

export const lm = {
  registerTool: (name: string, tool: object) => kept(seen.tools, name, tool),
  registerMcpServerDefinitionProvider: (name: string, provider: Provider) =>
    kept(seen.providers, name, provider),
}

const line = (level: string) => (text: string) => void seen.log.push(`${level} ${text}`)

export const window = {
  createOutputChannel: () => ({
    trace: line('trace'),
    debug: line('debug'),
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
    show: () => void seen.shown.push('log'),
    dispose() {},
  }),
  createTreeView: (name: string, { treeDataProvider }: { treeDataProvider: object }) => {
    const view = { visible: false, description: '', provider: treeDataProvider }
    return {
      ...view,
      onDidChangeCheckboxState: never,
      ...kept(seen.views, name, treeDataProvider),
    }
  },
  showInformationMessage: async (text: string, ...actions: string[]) => {
    seen.shown.push(text)
    return actions.find((action) => action === seen.answers[0])
  },
  createStatusBarItem: () => ({ text: '', show() {}, hide() {}, dispose() {} }),
  createTextEditorDecorationType: never,
  onDidChangeTextEditorSelection: never,
  onDidChangeActiveTextEditor: never,
  activeTextEditor: undefined,
  visibleTextEditors: [],
  setStatusBarMessage: (text: string) => void seen.shown.push(text),
  showInputBox: async () => seen.answers.shift(),
  showQuickPick: async (items: { label: string }[]) =>
    items.find(({ label }) => label.includes(String(seen.answers[0]))),
  showTextDocument: async () => undefined,
}

export const workspace = {
  workspaceFolders: undefined as { name?: string; uri: Uri }[] | undefined,
  workspaceFile: undefined as Uri | undefined,
  isTrusted: true,
  getConfiguration: (section: string) => ({
    get: (name: string, fallback: unknown) => seen.settings.get(`${section}.${name}`) ?? fallback,
  }),
  onDidChangeConfiguration: never,
  onDidChangeWorkspaceFolders: never,
  registerTextDocumentContentProvider: never,
  createFileSystemWatcher: () => ({
    onDidChange: never,
    onDidCreate: never,
    onDidDelete: never,
    dispose() {},
  }),
  openTextDocument: async (document: { content: string; language: string }) => {
    seen.documents.push(document)
    return document
  },
}

export const env = {
  clipboard: { writeText: async (text: string) => void Object.assign(seen, { clipboard: text }) },
  openExternal: async (uri: Uri) => seen.opened.push(uri) > 0,
  asExternalUri: async (uri: Uri) => seen.external ?? uri,
}
