import { homedir } from 'node:os'
import { join } from 'node:path'
import { type SecretStorage, workspace } from 'vscode'
import type { ChatPlaces } from '../sessions/chat-places.ts'
import { projectFolders } from './project-folders.ts'

export const DATABASE_SECRET = 'databaseUrl'
export const SERVER_SETTINGS = 'copilotChatSecretary.server'
const FAMILIES = ['tasks', 'guide', 'context']

/** How the Secretary server that the extension brings along is started. */
export interface ServerProgram {
  readonly command: string
  readonly script: string
  readonly env: Readonly<Record<string, string>>
}

export interface ServerParts {
  readonly extensionPath: string
  readonly places: ChatPlaces
  readonly secrets: Pick<SecretStorage, 'get'>
}

/** VS Code's own Node runs it, so that nothing has to be installed; it reads the chats that this window reads. */
export function serverProgram(
  { extensionPath, places }: ServerParts,
  folder: string | undefined = projectFolders()[0]?.path,
): ServerProgram {
  return {
    command: process.execPath,
    script: join(extensionPath, 'server', 'dist', 'secretary.js'),
    env: {
      ...(process.versions.electron ? { ELECTRON_RUN_AS_NODE: '1' } : {}),
      // Without a project, the home folder keeps the server from indexing where VS Code is installed.
      SECRETARY_PROJECT: folder ?? homedir(),
      SECRETARY_VSCODE_USER: places.user,
      SECRETARY_VSCODE_CHATS: places.window,
      SECRETARY_DESCRIPTIONS: serverSettings().get<string>('descriptions', 'compact'),
    },
  }
}

/** Without a folder there is nothing to search. */
export function familiesFor(folder: string | undefined): string[] {
  const wanted = serverSettings().get<string[]>('families', FAMILIES)
  return FAMILIES.filter(
    (name) => wanted.includes(name) && (name !== 'context' || folder !== undefined),
  )
}

/** An address with a password in it comes from where VS Code keeps secrets; the setting is what older versions had. */
export async function databaseOf({
  secrets,
}: Pick<ServerParts, 'secrets'>): Promise<Readonly<Record<string, string>>> {
  const address =
    (await secrets.get(DATABASE_SECRET)) || serverSettings().get<string>('databaseUrl', '')
  return address ? { SECRETARY_DATABASE_URL: address } : {}
}

export function serverSettings() {
  return workspace.getConfiguration(SERVER_SETTINGS)
}
