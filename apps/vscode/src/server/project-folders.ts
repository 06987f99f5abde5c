import { homedir } from 'node:os'
import { basename, resolve } from 'node:path'
import { workspace } from 'vscode'

export interface ProjectFolder {
  readonly name: string
  readonly path: string
}

/** The folders that the server works on: the one of the settings, else all of the window. */
export function projectFolders(): ProjectFolder[] {
  const open = foldersOnThisMachine()
  const chosen = workspace.getConfiguration('copilotChatSecretary.server').get('project', '').trim()
  if (!chosen) return open
  const path = expanded(chosen, open)
  return path === undefined ? open : [{ name: basename(path), path }]
}

/** Beside a remote window the extension runs with the chats, on the other side from the folder: its path means nothing there. */
function foldersOnThisMachine(): ProjectFolder[] {
  return (workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ name, uri }) => ({ name, path: uri.fsPath }))
}

/** As in VS Code's own settings; undefined where it names a folder that is not open. */
function expanded(text: string, open: readonly ProjectFolder[]): string | undefined {
  let isKnown = true
  const folder = (name: string | undefined) => {
    const found = name === undefined ? open[0] : open.find((one) => one.name === name)
    isKnown &&= found !== undefined
    return found?.path ?? ''
  }
  const path = text
    .replace(/\$\{workspaceFolder(?::([^{}]+))?\}/g, (_, name?: string) => folder(name))
    .replace(/\$\{userHome\}|^~(?=$|[\\/])/g, () => homedir())
  return isKnown ? resolve(open[0]?.path ?? homedir(), path) : undefined
}
