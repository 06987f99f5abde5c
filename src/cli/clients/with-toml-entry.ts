import type { ServerEntry } from './server-entry.ts'

/** Appends a table of our own: the rest of the file stays as it is, to the byte. */
export function withTomlEntry(text: string, { command, args }: ServerEntry): string | undefined {
  if (/^\s*\[\s*mcp_servers\s*\.\s*"?secretary"?\s*\]/m.test(text)) return undefined
  const gap = text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n'
  return `${text}${gap}[mcp_servers.secretary]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`
}
