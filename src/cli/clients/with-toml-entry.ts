import { isDeepStrictEqual } from 'node:util'
import { parse, patch } from '@decimalturn/toml-patch'
import { isRecord } from './is-record.ts'
import type { ServerEntry } from './server-entry.ts'

/**
 * The text with an entry for us among the servers, everything else kept. Undefined where there is one already, however it is
 * spelled. A table of our own is appended where TOML allows it, so that the rest stays as it is to the byte.
 */
export function withTomlEntry(text: string, entry: ServerEntry): string | undefined {
  const whole = understood(text)
  const servers = whole.mcp_servers ?? {}
  if (!isRecord(servers)) throw new SyntaxError('mcp_servers is not a table')
  if (Object.hasOwn(servers, 'secretary')) return undefined
  const added = tableOf({ ...servers, secretary: tableOf({ ...entry }) })
  const wanted = tableOf({ ...whole, mcp_servers: added })
  const gap = text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n'
  const table = `[mcp_servers.secretary]\n${tomlEntry(entry)}`
  for (const made of [() => `${text}${gap}${table}`, () => patch(text, wanted)])
    if (saysTheSame(made, wanted)) return made()
  throw new SyntaxError('mcp_servers cannot be added to')
}

export function tomlEntry({ command, args }: ServerEntry): string {
  return `command = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`
}

/** As the parser makes them: without a prototype. */
function tableOf(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.assign(Object.create(null), fields)
}

function saysTheSame(made: () => string, wanted: object): boolean {
  try {
    return isDeepStrictEqual(parse(made()), wanted)
  } catch {
    return false
  }
}

function understood(text: string): Record<string, unknown> {
  try {
    return parse(text)
  } catch {
    throw new SyntaxError('not TOML')
  }
}
