import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { environment } from '@secretary-mcp/core/config/environment.ts'
import { packageName, version } from '../../version.ts'

export interface ServerEntry {
  readonly command: string
  readonly args: readonly string[]
}

export const COMMAND = 'secretary'

/** Starts it where it is not installed. An exact version is not looked up again once it is there. */
export function npxCommand(name = packageName, exactly = version): readonly string[] {
  return ['npx', '-y', `${name}@${exactly}`]
}

/** This very installation, as a program and its first argument. */
function installedCommand(): readonly [string, string] {
  return [process.execPath, process.argv[1] ?? fileURLToPath(import.meta.url)]
}

/** npm clears the folder from which `npx` runs: nothing that lasts may point into it. */
const isRunByNpx = () => /[\\/]_npx[\\/]/.test(installedCommand()[1])
const isInstalledPackage = () => /[\\/]node_modules[\\/]/.test(installedCommand()[1])

/** A client sends every description to its model, call after call. */
const COMPACT = ['--descriptions', 'compact']

function entryOf([command = '', ...first]: readonly string[], project?: string): ServerEntry {
  return {
    command,
    args: [...first, 'mcp', ...COMPACT, ...(project ? ['--project', project] : [])],
  }
}

/** How a client starts it for a project. */
export function serverEntry(project?: string): ServerEntry {
  return entryOf(isRunByNpx() ? npxCommand() : installedCommand(), project)
}

/** The same for a file that is shared with others: no path of this machine, and the project as the client names it. */
export function sharedEntry(
  projectVariable?: string,
  command: readonly string[] = sharedCommand(),
): ServerEntry {
  return entryOf(command, projectVariable)
}

/** What starts it on every machine: the installed command, or npx for those who came by npx. */
export function sharedCommand(): readonly string[] {
  return isOnPath() || !isInstalledPackage() ? [COMMAND] : npxCommand()
}

/** Whether it is there to stay: npm puts programs of its own folders in front of the PATH while it runs something. */
export function isOnPath(): boolean {
  const names = process.platform === 'win32' ? [`${COMMAND}.cmd`, `${COMMAND}.exe`] : [COMMAND]
  return (environment().PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '' && !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder))
    .some((folder) => names.some((name) => existsSync(join(folder, name))))
}

/** How a client reaches one that is running. */
export function httpEntry({ url, token }: { readonly url: string; readonly token?: string }) {
  const headers = token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } }
  return { type: 'http', url: `${url}/mcp`, ...headers }
}
