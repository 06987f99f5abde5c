import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { environment } from '@secretary-mcp/core/config/environment.ts'

export interface ServerEntry {
  readonly command: string
  readonly args: readonly string[]
}

export const COMMAND = 'secretary'

/** What starts this very program, for files of this machine: Node and the path of the program. */
export function ownCommand(): readonly [string, string] {
  return [process.execPath, process.argv[1] ?? fileURLToPath(import.meta.url)]
}

/** A command as a POSIX shell and cmd.exe read it. */
export function shellLine(command: readonly string[]): string {
  return command.map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : `"${word}"`)).join(' ')
}

/** npm clears the folder from which `npx` runs: nothing that lasts may point into it. */
export function isRunByNpx(): boolean {
  return /[\\/]_npx[\\/]/.test(ownCommand()[1])
}

/** A client sends every description to its model, call after call: short ones, of the tools that are needed every day. */
const SHORT = ['--descriptions', 'compact', '--tools', 'core']
/** For clients that put the name of the server before the name of a tool. */
const SHORT_NAMES = ['--dialog-prefix=']

/** What an entry depends on beside the program. */
export interface EntryFor {
  readonly namesServer?: boolean
  /** How the client writes the project's folder. */
  readonly project?: string
}

function entryOf(
  [command = '', ...first]: readonly string[],
  { namesServer, project }: EntryFor,
): ServerEntry {
  return {
    command,
    args: [
      ...[...first, 'mcp', ...SHORT],
      ...(namesServer ? SHORT_NAMES : []),
      ...(project ? ['--project', project] : []),
    ],
  }
}

/** How a client starts it for a project. */
export function serverEntry(entryFor: EntryFor = {}): ServerEntry {
  return entryOf(ownCommand(), entryFor)
}

/** The same for a file that is shared with others: no path of this machine, and the project as the client names it. */
export function sharedEntry(entryFor: EntryFor = {}): ServerEntry {
  return entryOf(SHARED_COMMAND, entryFor)
}

/** What starts it on every machine that has it installed. */
export const SHARED_COMMAND: readonly string[] = [COMMAND]

/** A program of this size that starts us by our path is a shim of npm's or of the person's. */
const MAX_SHIM_BYTES = 4_096

/** Whether `secretary` on the PATH is this very program. It is compared, never run. */
export function isThisOnPath(): boolean {
  const own = realpathSync(ownCommand()[1])
  return commandsOnPath().some((file) => {
    if (realpathSync(file) === own) return true
    if (statSync(file).size > MAX_SHIM_BYTES) return false
    const shim = readFileSync(file, 'utf8').replaceAll('\\', '/')
    const inPackage = own.replaceAll('\\', '/').split('/node_modules/').at(-1)
    return shim.includes(own.replaceAll('\\', '/')) || shim.includes(`node_modules/${inPackage}`)
  })
}

/** The first is the one that a shell starts. npm puts programs of its own folders in front of the PATH while it runs something. */
function commandsOnPath(): string[] {
  const names = process.platform === 'win32' ? [`${COMMAND}.cmd`, `${COMMAND}.exe`] : [COMMAND]
  return (environment().PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '' && !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder))
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .filter((file) => existsSync(file))
    .slice(0, 1)
}

/** How a client reaches one that is running. */
export function httpEntry({ url, token }: { readonly url: string; readonly token?: string }) {
  const headers = token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } }
  return { type: 'http', url: `${url}/mcp`, ...headers }
}
