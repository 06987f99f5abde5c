import { fileURLToPath } from 'node:url'

export interface ServerEntry {
  readonly command: string
  readonly args: readonly string[]
}

/** How a client starts this very installation for a project. */
export function serverEntry(project?: string): ServerEntry {
  const script = process.argv[1] ?? fileURLToPath(import.meta.url)
  return { command: process.execPath, args: [script, 'mcp', ...(project ? ['--project', project] : [])] }
}
