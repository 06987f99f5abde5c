import { isRecord } from './is-record.ts'
import { readJson, withJsonValue } from './with-json-value.ts'

/** The text with an entry for us under `key`, everything else kept. Undefined where there is one already. */
export function withJsonEntry(text: string, key: string, entry: object): string | undefined {
  const { [key]: servers = {} } = readJson(text)
  if (!isRecord(servers)) throw new SyntaxError(`${key} is not an object`)
  return Object.hasOwn(servers, 'secretary')
    ? undefined
    : withJsonValue(text, [key, 'secretary'], entry)
}
