import { type Disposable, EventEmitter, lm, type McpServerDefinition, workspace } from 'vscode'

const PROVIDER = 'copilotChatSecretary.server'

interface Definitions {
  list(): Promise<McpServerDefinition[]>
  resolve(server: McpServerDefinition): Promise<McpServerDefinition>
}

/** Hands the server to VS Code, again whenever its settings or the folders change. */
export function registerMcpServer({ list, resolve }: Definitions): Disposable[] {
  const changed = new EventEmitter<void>()
  const provider = lm.registerMcpServerDefinitionProvider(PROVIDER, {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions: async () =>
      workspace.getConfiguration(PROVIDER).get<boolean>('enabled', true) ? list() : [],
    resolveMcpServerDefinition: resolve,
  })
  return [
    changed,
    provider,
    workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(PROVIDER)) changed.fire()
    }),
  ]
}
