import { stat } from 'node:fs/promises'
import { type Mark, type Reading, requestsOf, type SourceName } from '../dialog.ts'
import type { ForeignDatabase, OpenForeign } from '../foreign-database.ts'
import { cutText } from '../preview.ts'
import { LONGEST_ANSWER } from '../reading/transcript.ts'
import type { BareTurn, Found, Source } from '../source.ts'

export interface RowStamp {
  readonly id: string
  readonly size: number
  readonly mtimeMs: number
}

interface RowSource {
  readonly name: SourceName
  readonly path: string
  readonly open: OpenForeign
  fits(client: string): boolean
  /** Every dialog, or the one with an id. */
  stamps(database: ForeignDatabase, id?: string): RowStamp[]
  read(database: ForeignDatabase, id: string): Reading
  text(database: ForeignDatabase, mark: Mark): string | undefined
  /** The agent's words, in order, after the request with the place's mark and before the next. */
  answers(database: ForeignDatabase, id: string, reading: Reading): ReadonlyMap<number, string>
}

/** A source whose dialogs are rows in one SQLite file of another program. */
export function rowSource(spec: RowSource): Source {
  const { path, open } = spec
  let listed: { stamp: string; found: Found[] } | undefined
  const foundOf = ({ id, size, mtimeMs }: RowStamp): Found => ({ key: `${path}#${id}`, path, size, mtimeMs })
  const idOf = (key: string) => key.slice(path.length + 1)
  return {
    name: spec.name,
    fits: spec.fits,
    async list() {
      const stamp = await fileStamp(path)
      if (stamp === undefined) return []
      if (listed?.stamp !== stamp) listed = { stamp, found: (await open(path, (db) => spec.stamps(db))).map(foundOf) }
      return listed.found
    },
    async stat(key) {
      if ((await fileStamp(path)) === undefined) return undefined
      const [row] = await open(path, (db) => spec.stamps(db, idOf(key)))
      return row && foundOf(row)
    },
    read: ({ key }) => open(path, (db) => spec.read(db, idOf(key))),
    text: (_path, mark) => open(path, (db) => spec.text(db, mark)),
    async *turns({ key, mtimeMs }, reading) {
      const turns = await open(path, (db) => turnsOf(spec, db, idOf(key), reading, mtimeMs))
      yield* turns
    },
  }
}

function turnsOf(spec: RowSource, db: ForeignDatabase, id: string, reading: Reading, fallback: number): BareTurn[] {
  const answers = spec.answers(db, id, reading)
  return requestsOf(reading).map((mark, place) => {
    const answer = answers.get(place)
    return {
      position: place + 1,
      time: mark.time ?? reading.firstSeen ?? fallback,
      request: spec.text(db, mark) ?? '',
      answer: answer && cutText(answer, LONGEST_ANSWER),
    }
  })
}

/** Of the file and its write-ahead log: unchanged means that no row has changed either. */
async function fileStamp(path: string): Promise<string | undefined> {
  const of = (file: string) => stat(file).then(({ size, mtimeMs }) => `${size}/${mtimeMs}`)
  const main = await of(path).catch(() => undefined)
  return main && `${main} ${await of(`${path}-wal`).catch(() => '')}`
}
