import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { environment } from '../../core/config/environment.ts'

export interface ServerEntry {
  readonly command: string
  readonly args: readonly string[]
}

export const COMMAND = 'secretary'

/** This very installation, as a program and its first argument. */
function installedCommand(): readonly [string, string] {
  return [process.execPath, process.argv[1] ?? fileURLToPath(import.meta.url)]
}

/** A client sends every description to its model, call after call. */
const COMPACT = ['--descriptions', 'compact']

/** How a client starts it for a project. */
export function serverEntry(project?: string): ServerEntry {
  const [command, script] = installedCommand()
  return { command, args: [script, 'mcp', ...COMPACT, ...(project ? ['--project', project] : [])] }
}

/** The same for a file that is shared with others: no path of this machine, and the project as the client names it. */
export function sharedEntry(projectVariable?: string): ServerEntry {
  const project = projectVariable ? ['--project', projectVariable] : []
  return { command: COMMAND, args: ['mcp', ...COMPACT, ...project] }
}

export function isOnPath(): boolean {
  const names = process.platform === 'win32' ? [`${COMMAND}.cmd`, `${COMMAND}.exe`] : [COMMAND]
  return (environment().PATH ?? '')
    .split(delimiter)
    .some((folder) => folder !== '' && names.some((name) => existsSync(join(folder, name))))
}

/** How a client reaches one that is running. */
export function httpEntry({ url, token }: { readonly url: string; readonly token?: string }) {
  const headers = token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } }
  return { type: 'http', url: `${url}/mcp`, ...headers }
}
