import { type Disposable, EventEmitter, lm, McpStdioServerDefinition, workspace } from 'vscode'
import { serverProgram } from './server-program.ts'

const PROVIDER = 'copilotChatSecretary.server'

/** Hands the server with all families of tools to VS Code, again whenever its settings or the folders change. */
export function registerMcpServer(extensionPath: string, version: string): Disposable[] {
  const changed = new EventEmitter<void>()
  const provider = lm.registerMcpServerDefinitionProvider(PROVIDER, {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions: () => {
      if (!workspace.getConfiguration(PROVIDER).get<boolean>('enabled', true)) return []
      const { command, script, env } = serverProgram(extensionPath)
      return [
        new McpStdioServerDefinition('Secretary', command, [script, 'mcp'], { ...env }, version),
      ]
    },
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
