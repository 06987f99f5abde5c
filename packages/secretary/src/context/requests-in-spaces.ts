import type { Caller } from '@secretary-mcp/core/tool.ts'
import { withinTime } from '@secretary-mcp/core/within-time.ts'
import type { SearchEngine } from '@secretary-mcp/search/search-engine.ts'
import type { Note, SearchResult } from '@secretary-mcp/search/search-types.ts'

const WAIT_MS = 1_000

interface RequestName {
  /** Who shares it. */
  readonly by: string
  readonly sessionId: string
  readonly position: number
}

/** A request that somebody shares with a space. */
export interface FedRequest extends RequestName {
  readonly askedAt: string
  readonly request: string
  readonly answer?: string
}

/** What the dialog family tells of requests that are shared with spaces. */
export interface RequestsInSpaces {
  /** A number for each space that rises with everything that is shared or taken back; none where nothing ever was. */
  versions(spaces: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** All that a space has of the caller's project, the requests of a dialog in their order. */
  ofSpace(caller: Caller, space: string): Promise<readonly FedRequest[]>
  /** Those of these that the caller may read now, with the name of the space. */
  find(
    caller: Caller,
    names: readonly RequestName[],
  ): Promise<readonly (RequestName & { readonly space: string })[]>
}

export interface FromSpace {
  readonly space: string
  readonly by?: string
}

type NoteEngine = Pick<SearchEngine, 'putNotes' | 'removeNotes' | 'noteIdsUnder'>

const PREFIX = 'shared:'
const NAMED = /^shared:([\da-f]+):(.*)\/(\d+)$/s
const PAGE = 500
const MAX_LENGTH = 1_500
const MAX_NEIGHBOUR = 400

/** Keeps a project's index in step with what spaces have of its requests. */
export class RequestFeed {
  readonly #requests: RequestsInSpaces
  /** The version that an index has, by space and project. */
  readonly #fed = new Map<string, number>()

  constructor(requests: RequestsInSpaces) {
    this.#requests = requests
  }

  /** What was taken back goes first, so that it is not even counted. */
  async catchUp(
    caller: Caller,
    spaces: readonly string[],
    engine: NoteEngine,
    signal: AbortSignal,
  ): Promise<void> {
    const versions = await this.#requests.versions(spaces)
    for (const space of spaces) {
      const version = versions.get(space) ?? 0
      const key = `${space}\0${caller.project}`
      if (this.#fed.get(key) === version) continue
      const notes = notesOf(space, await this.#requests.ofSpace(caller, space))
      const scope = scopeOfSpace(space)
      const kept = new Set(notes.map(({ id }) => id))
      const known = await engine.noteIdsUnder(scope, PREFIX)
      await engine.removeNotes(
        scope,
        known.filter((id) => !kept.has(id)),
      )
      for (let start = 0; start < notes.length; start += PAGE) {
        signal.throwIfAborted()
        await engine.putNotes(notes.slice(start, start + PAGE), signal)
      }
      // Whoever lost their role a moment ago gets nothing to read, which says nothing about what the space has.
      if (notes.length > 0 || version === 0) this.#fed.set(key, version)
    }
  }

  /** After its index was lost. */
  forget(project: string): void {
    for (const key of this.#fed.keys()) if (key.endsWith(`\0${project}`)) this.#fed.delete(key)
  }
}

/** Of results, what is shared: where it comes from, or undefined where the caller may no longer read it or has it anyway. */
export async function spacesOfResults(
  caller: Caller,
  results: readonly Pick<SearchResult, 'id' | 'source'>[],
  requests: RequestsInSpaces | undefined,
): Promise<ReadonlyMap<string, FromSpace | undefined>> {
  const named = results.flatMap(({ id, source }) => {
    const name = source === 'session' ? requestNamed(id) : undefined
    return name ? [{ id, name }] : []
  })
  if (named.length === 0) return new Map()
  const own = new Set(results.map(({ id }) => id))
  const found =
    (await requests?.find(
      caller,
      named.map(({ name }) => name),
    )) ?? []
  const spaces = new Map(found.map((one) => [idOf(one), one]))
  return new Map(
    named.map(({ id, name }) => {
      const isHere = name.by === caller.user && own.has(`${name.sessionId}/${name.position}`)
      const one = isHere ? undefined : spaces.get(id)
      return [id, one && { space: one.space, by: one.by }]
    }),
  )
}

/** Undefined where the note is not one of a shared request. */
export function requestNamed(id: string): RequestName | undefined {
  const [, by, sessionId, position] = NAMED.exec(id) ?? []
  if (by === undefined || sessionId === undefined) return undefined
  return { by: Buffer.from(by, 'hex').toString(), sessionId, position: Number(position) }
}

function idOf({ by, sessionId, position }: RequestName): string {
  return `${PREFIX}${Buffer.from(by).toString('hex')}:${sessionId}/${position}`
}

function notesOf(space: string, requests: readonly FedRequest[]): Note[] {
  const near = (one: FedRequest, place: number) => {
    const other = requests[place]
    const isSame = other?.by === one.by && other.sessionId === one.sessionId
    return isSame ? other.request.slice(0, MAX_NEIGHBOUR) : ''
  }
  return requests.map((one, place) => ({
    id: idOf(one),
    scope: scopeOfSpace(space),
    source: 'session',
    content: [one.request.slice(0, MAX_LENGTH), one.answer?.slice(0, MAX_LENGTH)]
      .filter(Boolean)
      .join('\n\n'),
    neighbours: `${near(one, place - 1)}\n${near(one, place + 1)}`,
    session: one.sessionId,
    date: one.askedAt,
  }))
}

/** What the family needs to know of the spaces that people share. */
export interface ContextSpaces {
  /** Ids of those that a caller may read. */
  readableSpaces(caller: Caller): Promise<readonly string[]>
  /** The one of this id or name, if the caller may add to it. */
  require(
    caller: Caller,
    idOrName: string,
    act: 'contribute',
  ): Promise<{ readonly id: string; readonly name: string }>
}

/** A user's name does not begin with a control character, so no user's notes are in the scope of a space. */
export function scopeOfSpace(id: string): string {
  return `\u0001${id}`
}

/** Whose notes a search may look at: the caller's, and those of spaces that they may read. */
export function readableScopes({ user }: Caller, spaces: readonly string[]): string[] {
  return [user, ...spaces.map(scopeOfSpace)]
}

/** Ids of the spaces that a caller may read; where the database does not answer, a search goes on with their own notes. */
export async function spacesOf(
  caller: Caller,
  spaces: ContextSpaces | undefined,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (!spaces) return []
  let readable: readonly string[] = []
  const asked = spaces.readableSpaces(caller).then(
    (ids) => {
      readable = ids
    },
    () => {},
  )
  await withinTime(asked, WAIT_MS, signal)
  return readable
}
