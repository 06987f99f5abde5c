import type { ServerEntry } from './server-entry.ts'
import { jsonEntries, withJsonEntry, withoutJsonEntry } from './with-json-entry.ts'
import { tomlEntries, tomlEntry, withoutTomlEntry, withTomlEntry } from './with-toml-entry.ts'

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
