import { isDeepStrictEqual } from 'node:util'
import { parse, patch } from '@decimalturn/toml-patch'
import type { ServerEntry } from './server-entry.ts'
import { isRecord, readJson, withJsonValue, withoutJsonValue } from './with-json-value.ts'

/** How a client's file names its servers. */
export interface EntryForm {
  /** The file's new text; undefined where it has an entry for us already. Throws where the text is not understood. */
  with(text: string, entry: ServerEntry): string | undefined
  /** The text without our entry; undefined where there is none. */
  without(text: string): string | undefined
  /** Every entry under our name, whoever wrote it. Throws where the text is not understood. */
  found(text: string): unknown[]
  /** An entry as this client writes it. */
  shape(entry: ServerEntry): object
  /** What a person would add by hand. */
  byHand(entry: ServerEntry): string
}

export function jsonForm(
  key: string,
  shape: (entry: ServerEntry) => object = (entry) => entry,
): EntryForm {
  return {
    with: (text, entry) => withJsonEntry(text, key, shape(entry)),
    without: (text) => withoutJsonEntry(text, key),
    found: (text) => jsonEntries(text, key),
    shape,
    byHand: (entry) => JSON.stringify({ [key]: { secretary: shape(entry) } }, null, 2),
  }
}

export const tomlForm: EntryForm = {
  with: (text, entry) => withTomlEntry(text, { ...entry }),
  without: withoutTomlEntry,
  found: tomlEntries,
  shape: (entry) => entry,
  byHand: (entry) => `[mcp_servers.secretary]\n${tomlEntry({ ...entry })}`,
}

/** The text with an entry for us under `key`, everything else kept. Undefined where there is one already. */
export function withJsonEntry(text: string, key: string, entry: object): string | undefined {
  return hasEntry(text, key) ? undefined : withJsonValue(text, [key, 'secretary'], entry)
}

function withoutJsonEntry(text: string, key: string): string | undefined {
  return hasEntry(text, key) ? withoutJsonValue(text, [key, 'secretary']) : undefined
}

function jsonEntries(text: string, key: string): unknown[] {
  const { [key]: servers = {} } = readJson(text)
  if (!isRecord(servers)) throw new SyntaxError(`${key} is not an object`)
  return Object.hasOwn(servers, 'secretary') ? [servers.secretary] : []
}

function hasEntry(text: string, key: string): boolean {
  return jsonEntries(text, key).length > 0
}

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
function withoutTomlEntry(text: string): string | undefined {
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

function tomlEntry(entry: Readonly<Record<string, unknown>>): string {
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
