import { isRecord } from './is-record.ts'
import { readJson, withJsonValue, withoutJsonValue } from './with-json-value.ts'

/** The text with an entry for us under `key`, everything else kept. Undefined where there is one already. */
export function withJsonEntry(text: string, key: string, entry: object): string | undefined {
  return hasEntry(text, key) ? undefined : withJsonValue(text, [key, 'secretary'], entry)
}

export function withoutJsonEntry(text: string, key: string): string | undefined {
  return hasEntry(text, key) ? withoutJsonValue(text, [key, 'secretary']) : undefined
}

export function jsonEntries(text: string, key: string): unknown[] {
  const { [key]: servers = {} } = readJson(text)
  if (!isRecord(servers)) throw new SyntaxError(`${key} is not an object`)
  return Object.hasOwn(servers, 'secretary') ? [servers.secretary] : []
}

function hasEntry(text: string, key: string): boolean {
  return jsonEntries(text, key).length > 0
}
