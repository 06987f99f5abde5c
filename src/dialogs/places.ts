import { join, posix, win32 } from 'node:path'

/** Where to look for the agents' files: the person's home and what their environment says about it. */
export interface Places {
  readonly home: string
  readonly platform: string
  readonly codexHome?: string
  readonly claudeConfig?: string
  readonly appData?: string
  readonly xdgConfig?: string
  readonly xdgData?: string
  readonly vscodePortable?: string
}

/** The folder in which programs keep their user data. */
export function userDataRoot({ home, platform, appData, xdgConfig }: Places): string {
  if (platform === 'win32') return appData ?? join(home, 'AppData', 'Roaming')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  return xdgConfig ?? join(home, '.config')
}

/** The `User` folders of VS Code and the programs built from it, whether or not they exist. */
export function editorFolders(places: Places, names: readonly string[]): string[] {
  const root = userDataRoot(places)
  return names.map((name) => join(root, name, 'User'))
}

export function isAbsoluteAnywhere(path: string): boolean {
  return posix.isAbsolute(path) || win32.isAbsolute(path)
}
