import { isDeepStrictEqual } from 'node:util'
import { parse, patch } from '@decimalturn/toml-patch'
import { isRecord } from './is-record.ts'

/**
 * The text with an entry for us among the servers, everything else kept. Undefined where there is one already, however it is
 * spelled. A table of our own is appended where TOML allows it, so that the rest stays as it is to the byte.
 */
export function withTomlEntry(text: string, entry: Record<string, unknown>): string | undefined {
  const whole = understood(text)
  const servers = serversIn(whole)
  if (Object.hasOwn(servers, 'secretary')) return undefined
  const added = tableOf({ ...servers, secretary: tableOf({ ...entry }) })
  const wanted = tableOf({ ...whole, mcp_servers: added })
  const gap = text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n'
  const table = `[mcp_servers.secretary]\n${tomlEntry(entry)}`
  for (const made of [() => `${text}${gap}${table}`, () => patch(text, wanted)])
    if (saysTheSame(made, wanted)) return made()
  throw new SyntaxError('mcp_servers cannot be added to')
}

/** The text without our entry, however it is spelled; undefined where there is none. */
export function withoutTomlEntry(text: string): string | undefined {
  const whole = understood(text)
  const { secretary, ...others } = serversIn(whole)
  if (secretary === undefined) return undefined
  const { mcp_servers: _all, ...rest } = whole
  const isLast = Object.keys(others).length === 0
  return patch(text, tableOf(isLast ? rest : { ...whole, mcp_servers: tableOf(others) }))
}

export function tomlEntries(text: string): unknown[] {
  const servers = serversIn(understood(text))
  // The parser's tables have no prototype, which would tell them from ours.
  return Object.hasOwn(servers, 'secretary') ? [structuredClone(servers.secretary)] : []
}

export function tomlEntry(entry: Readonly<Record<string, unknown>>): string {
  return Object.entries(entry)
    .map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`)
    .join('')
}

function serversIn({ mcp_servers: servers = {} }: Record<string, unknown>) {
  if (!isRecord(servers)) throw new SyntaxError('mcp_servers is not a table')
  return servers
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
