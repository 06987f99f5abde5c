import { type Document, isSeq, parseDocument } from 'yaml'
import type { EntryForm } from './entry-form.ts'
import type { ServerEntry } from './server-entry.ts'
import { isRecord } from './with-json-value.ts'

const KEY = 'mcpServers'

const named = (entry: ServerEntry) => ({ name: 'secretary', ...entry })

/** A list of servers, each with its name, in a file of YAML whose comments stay. */
export const yamlForm: EntryForm = {
  with(text, entry) {
    const file = understood(text)
    if (placeOf(file) !== -1) return undefined
    if (isSeq(file.get(KEY))) file.addIn([KEY], file.createNode(named(entry)))
    else file.set(KEY, file.createNode([named(entry)]))
    return file.toString()
  },
  without(text) {
    const file = understood(text)
    const place = placeOf(file)
    if (place === -1) return undefined
    file.deleteIn([KEY, place])
    return file.toString()
  },
  found: (text) => serversIn(understood(text)).filter(isOfOurName),
  shape: named,
  byHand({ command, args }) {
    return `${KEY}:\n  - name: secretary\n    command: ${command}\n    args: ${JSON.stringify(args)}`
  },
}

function placeOf(file: Document): number {
  return serversIn(file).findIndex(isOfOurName)
}

function serversIn(file: Document): unknown[] {
  const servers: unknown = file.toJS()?.[KEY] ?? []
  if (!Array.isArray(servers)) throw new SyntaxError(`${KEY} is not a list`)
  return servers
}

function isOfOurName(server: unknown): boolean {
  return isRecord(server) && server.name === 'secretary'
}

function understood(text: string): Document {
  const file = parseDocument(text.trim() === '' ? '{}\n' : text)
  const isMap = file.contents !== null && !Array.isArray(file.toJS())
  if (file.errors.length > 0 || typeof file.toJS() !== 'object' || !isMap)
    throw new SyntaxError('not a YAML mapping')
  return file
}
