import { placeDeeds } from '../deeds/deed-collector.ts'
import { type Mark, type Reading, type ReadResult, requestsOf } from '../dialog.ts'
import { projectPath } from '../project-path.ts'
import { documentBytes, type Element, splitDocument } from '../reading/document.ts'
import { fileAt } from '../reading/files.ts'
import { gatherTurns, type Said } from '../reading/gather-turns.ts'
import { bytesAt } from '../reading/lines.ts'
import { type JsonObject, objectOf, parsedOr } from '../reading/loose-json.ts'
import { markedText } from '../redacted-preview.ts'
import type { Found, ReadContext, Source } from '../source.ts'
import type { SourceName } from '../source-names.ts'

/** What one element of the list says. */
export interface Spoken {
  readonly request?: string
  readonly answer?: string
  readonly time?: number
}

type About = Pick<ReadResult, 'sessionId' | 'status'> & Partial<ReadResult>

export type PlacedDeeds = Parameters<typeof placeDeeds>[0]

interface DocumentSource {
  readonly name: SourceName
  readonly roots: readonly string[]
  fits(client: string): boolean
  list(context: ReadContext): Promise<Found[]>
  /** The one list in which everything stands. */
  readonly key: string
  spoken(element: JsonObject): Spoken
  deeds(elements: readonly Element[], found: Found): PlacedDeeds
  /** The project as the agent spells it, and the rest. */
  about(found: Found, rest: JsonObject): Promise<About>
}

/** A source whose dialogs are JSON documents, each rewritten whenever something is said. */
export function documentSource(spec: DocumentSource): Source {
  const { name, roots, fits, list, key, spoken } = spec
  return {
    name,
    roots,
    fits,
    list,
    stat: (_key, path) => fileAt(path),
    read: (found) => read(spec, found),
    async text(path, { at, size }) {
      const bytes = await bytesAt(path, at, size)
      return bytes && spoken(objectOf(parsedOr(bytes))).request
    },
    turns: (found, reading, _context, wanted) =>
      gatherTurns(said(found, reading, key, spoken), wanted),
  }
}

async function read(spec: DocumentSource, found: Found): Promise<ReadResult> {
  const { rest, elements } = splitDocument(await documentBytes(found.path), [spec.key])
  const all = [...elements()]
  const { project: spelled, ...about } = await spec.about(found, rest)
  const project = spelled && projectPath(spelled)
  const marks: Mark[] = []
  for (const { value, at, size } of about.helper ? [] : all) {
    const { request, time } = spec.spoken(value)
    if (request !== undefined) marks.push({ at, size, time, ...markedText(request) })
  }
  return {
    firstSeen: marks[0]?.time,
    ...about,
    project,
    marks,
    offset: 0,
    deeds: placeDeeds(spec.deeds(all, found), project).map((deed) =>
      about.toldAt === undefined ? deed : { ...deed, since: about.toldAt },
    ),
  }
}

async function* said(
  found: Found,
  reading: Reading,
  key: string,
  spoken: DocumentSource['spoken'],
): AsyncGenerator<Said> {
  const places = new Map(requestsOf(reading).map(({ at }, place) => [at, place]))
  const { elements } = splitDocument(await documentBytes(found.path), [key])
  for (const { value, at } of elements()) {
    const place = places.get(at)
    const { request, answer, time } = spoken(value)
    if (place === undefined) yield { answer }
    else
      yield {
        position: place + 1,
        time: time ?? reading.firstSeen ?? found.mtimeMs,
        request: request ?? '',
      }
  }
}
