import { fileURLToPath } from 'node:url'

export interface ServerEntry {
  readonly command: string
  readonly args: readonly string[]
}

/** This very installation, as a program and its first argument. */
export function installedCommand(): readonly [string, string] {
  return [process.execPath, process.argv[1] ?? fileURLToPath(import.meta.url)]
}

/** A client sends every description to its model, call after call. */
const COMPACT = ['--descriptions', 'compact']

/** How a client starts it for a project. */
export function serverEntry(project?: string): ServerEntry {
  const [command, script] = installedCommand()
  return { command, args: [script, 'mcp', ...COMPACT, ...(project ? ['--project', project] : [])] }
}

/** How a client reaches one that is running. */
export function httpEntry({ url, token }: { readonly url: string; readonly token?: string }) {
  const headers = token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } }
  return { type: 'http', url: `${url}/mcp`, ...headers }
}
