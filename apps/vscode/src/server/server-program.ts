import { homedir } from 'node:os'
import { join } from 'node:path'
import { workspace } from 'vscode'

/** How the Secretary server that the extension brings along is started. */
export interface ServerProgram {
  readonly command: string
  readonly script: string
  readonly env: Readonly<Record<string, string>>
}

/** VS Code's own Node runs it, so that nothing has to be installed. */
export function serverProgram(extensionPath: string): ServerProgram {
  const settings = workspace.getConfiguration('copilotChatSecretary.server')
  const project = settings.get<string>('project', '') || folderOnThisMachine()
  const databaseUrl = settings.get<string>('databaseUrl', '')
  return {
    command: process.execPath,
    script: join(extensionPath, 'server', 'dist', 'secretary.js'),
    env: {
      ...(process.versions.electron ? { ELECTRON_RUN_AS_NODE: '1' } : {}),
      // Without a project, the home folder keeps the server from indexing where VS Code is installed.
      SECRETARY_PROJECT: project ?? homedir(),
      SECRETARY_DESCRIPTIONS: 'compact',
      ...(databaseUrl ? { SECRETARY_DATABASE_URL: databaseUrl } : {}),
    },
  }
}

/** Beside a remote window the extension runs with the chats, on the other side from the folder: its path means nothing there. */
function folderOnThisMachine(): string | undefined {
  const folder = workspace.workspaceFolders?.[0]?.uri
  return folder?.scheme === 'file' ? folder.fsPath : undefined
}
