import { basename, dirname, join } from 'node:path'
import type { OpenForeign } from '../foreign-database.ts'
import { listOf, objectOf, parsedOr, textOf } from '../reading/loose-json.ts'
import { fileStamp } from './row-source.ts'
import { sessionOfFile } from './vscode-live.ts'

/** Under this key VS Code keeps what a person did with the sessions of a window, beside its chats. */
const STATES = "SELECT value FROM ItemTable WHERE key = 'agentSessions.state.cache'"

interface Known {
  readonly stamp: string
  readonly ids: Promise<ReadonlySet<string>>
}

/** Says whether the person archived a chat. A state that cannot be read costs the mark alone. */
export function archivedChats(open: OpenForeign): (path: string) => Promise<boolean> {
  const known = new Map<string, Known>()
  return async (path) => {
    const chats = dirname(path)
    if (basename(chats) !== 'chatSessions') return false
    const state = join(dirname(chats), 'state.vscdb')
    const stamp = await fileStamp(state)
    if (stamp === undefined) return false
    if (known.get(state)?.stamp !== stamp) {
      const before = known.get(state)?.ids
      const ids = open(state, (database) => idsIn(database.rows(STATES)[0]?.value))
      known.set(state, { stamp, ids: ids.catch(() => before ?? new Set()) })
    }
    return (await known.get(state)?.ids)?.has(sessionOfFile(path)) ?? false
  }
}

function idsIn(value: unknown): ReadonlySet<string> {
  const text = value instanceof Uint8Array ? Buffer.from(value).toString() : textOf(value)
  const states = listOf(parsedOr(Buffer.from(text ?? ''))).map(objectOf)
  const archived = states.filter((state) => state.archived === true)
  return new Set(archived.flatMap(({ resource }) => sessionOf(resource) ?? []))
}

/** `vscode-chat-session://local/ID` with the id in base64; an older VS Code wrote the parts of that address. */
function sessionOf(resource: unknown): string | undefined {
  const { scheme, path } = objectOf(resource)
  const address = textOf(resource) ?? `${textOf(scheme)}://local${textOf(path)}`
  const encoded = /^vscode-chat-session:\/\/local\/([\w+/=-]+)$/.exec(decoded(address))?.[1]
  return encoded && Buffer.from(encoded, 'base64').toString()
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}
