import { stat } from 'node:fs/promises'
import { type Mark, type Reading, type ReadResult, requestsOf } from '../dialog.ts'
import type { ForeignDatabase, OpenForeign } from '../foreign-database.ts'
import { cutAnswer, isWanted } from '../reading/gather-turns.ts'
import { timeOf } from '../reading/loose-json.ts'
import type { BareTurn, Found, Source, TurnsWanted } from '../source.ts'
import type { SourceName } from '../source-names.ts'

export interface RowStamp {
  readonly id: string
  readonly size: number
  readonly mtimeMs: number
}

/** Of a row with the columns `id`, `size`, `updated` and `created`. */
export function rowStamp({
  id,
  size,
  updated,
  created,
}: Readonly<Record<string, unknown>>): RowStamp {
  return { id: String(id), size: Number(size), mtimeMs: timeOf(updated) ?? timeOf(created) ?? 0 }
}

export interface RowSource {
  readonly name: SourceName
  readonly path: string
  readonly open: OpenForeign
  fits(client: string): boolean
  /** Every dialog, or the one with an id. */
  stamps(database: ForeignDatabase, id?: string): RowStamp[]
  /** When the call began that a dialog now waits for. */
  waitsSince?(database: ForeignDatabase, id: string): number | undefined
  read(database: ForeignDatabase, id: string): ReadResult
  text(database: ForeignDatabase, mark: Mark): string | undefined
  /** The agent's words, in order, after the request with the place's mark and before the next. */
  answers(database: ForeignDatabase, id: string, reading: Reading): ReadonlyMap<number, string>
}

/** A source whose dialogs are rows in one SQLite file of another program. */
export function rowSource(spec: RowSource): Source {
  const { path, open } = spec
  let listed: { stamp: string; found: Found[] } | undefined
  const foundOf = ({ id, size, mtimeMs }: RowStamp): Found => ({
    key: `${path}#${id}`,
    path,
    size,
    mtimeMs,
  })
  const idOf = (key: string) => key.slice(path.length + 1)
  return {
    name: spec.name,
    roots: [path],
    fits: spec.fits,
    async list() {
      const stamp = await fileStamp(path)
      if (stamp === undefined) return []
      if (listed?.stamp !== stamp)
        listed = { stamp, found: (await open(path, (db) => spec.stamps(db))).map(foundOf) }
      return listed.found
    },
    async stat(key) {
      if ((await fileStamp(path)) === undefined) return undefined
      const [row] = await open(path, (db) => spec.stamps(db, idOf(key)))
      return row && foundOf(row)
    },
    waitsSince: async (key) => open(path, (db) => spec.waitsSince?.(db, idOf(key))),
    read: ({ key }) => open(path, (db) => spec.read(db, idOf(key))),
    text: (_path, mark) => open(path, (db) => spec.text(db, mark)),
    async *turns({ key, mtimeMs }, reading, _context, wanted = {}) {
      yield* await open(path, (db) =>
        turnsOf(spec, db, { id: idOf(key), reading, time: mtimeMs }, wanted),
      )
    },
  }
}

function turnsOf(
  spec: RowSource,
  db: ForeignDatabase,
  { id, reading, time }: { readonly id: string; readonly reading: Reading; readonly time: number },
  wanted: TurnsWanted,
): BareTurn[] {
  const answers = spec.answers(db, id, reading)
  const turns = requestsOf(reading).map((mark, place) => ({
    mark,
    position: place + 1,
    answer: answers.get(place),
  }))
  return turns
    .filter(({ position }) => isWanted(position, wanted))
    .map(({ mark, position, answer }) => ({
      position,
      time: mark.time ?? reading.firstSeen ?? time,
      request: spec.text(db, mark) ?? '',
      ...cutAnswer(answer, wanted),
    }))
}

/** Of the file and its write-ahead log: unchanged means that no row has changed either. */
export async function fileStamp(path: string): Promise<string | undefined> {
  const of = (file: string) => stat(file).then(({ size, mtimeMs }) => `${size}/${mtimeMs}`)
  const main = await of(path).catch(() => undefined)
  return main && `${main} ${await of(`${path}-wal`).catch(() => '')}`
}
