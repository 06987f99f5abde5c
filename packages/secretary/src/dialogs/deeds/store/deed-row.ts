import { COMMAND_KINDS, DEED_KINDS, type Deed } from '@secretary-mcp/transcripts/deeds/deed.ts'
import type { RepeatedRuns, StoredDeed } from '../deed-store.ts'
import { packPrints, unpackPrints } from '@secretary-mcp/transcripts/deeds/line-print.ts'
import type { SourceName } from '@secretary-mcp/transcripts/source-names.ts'

export interface DeedRow {
  readonly id: number
  readonly key: string
  readonly session: string
  readonly source: string
  readonly project: string | null
  readonly lead: string | null
  readonly at: number
  readonly place: number
  readonly time: number
  readonly kind: number
  readonly path: string | null
  readonly plus: number | null
  readonly minus: number | null
  readonly came: Uint8Array | null
  readonly gone: Uint8Array | null
  readonly words: string | null
  readonly text: string | null
  readonly command: number | null
  readonly exit: number | null
  readonly tail: string | null
  readonly call: string | null
  readonly since: number | null
  /** Runs and git's acts, as JSON. */
  readonly facts: string | null
}

export const DEED_COLUMNS = `e.id, d.key, d.session, d.source, d.project, d.lead, e.at, e.place, e.time, e.kind, p.path,
  e.plus, e.minus, e.came, e.gone, e.words, e.text, e.command, e.exit, e.tail, e.call, e.since, e.facts`

export type DeedValue = string | number | null | Uint8Array

/** In the order of the table's columns, from `at` on; the path by its number. */
export function deedValues(deed: Deed, path: number | null): DeedValue[] {
  const { lines, commandKind } = deed
  return [
    deed.at,
    deed.place,
    deed.time,
    DEED_KINDS.indexOf(deed.kind),
    path,
    lines?.plus ?? null,
    lines?.minus ?? null,
    lines ? packPrints(lines.came) : null,
    lines?.gone.length ? packPrints(lines.gone) : null,
    lines?.words?.length ? lines.words.join(' ') : null,
    deed.text ?? null,
    commandKind === undefined ? null : COMMAND_KINDS.indexOf(commandKind),
    deed.exit ?? null,
    deed.tail ?? null,
    deed.call ?? null,
    deed.since ?? null,
    factsText(deed),
  ]
}

export function deedOf(row: DeedRow): StoredDeed {
  const command = row.command === null ? undefined : COMMAND_KINDS[row.command]
  return {
    id: row.id,
    key: row.key,
    sessionId: row.lead ?? row.session,
    source: row.source as SourceName,
    isHelper: row.lead !== null,
    kind: DEED_KINDS[row.kind] ?? 'command',
    at: row.at,
    place: row.place,
    time: row.time,
    ...(row.project === null ? {} : { project: row.project }),
    ...(row.path === null ? {} : { path: row.path }),
    ...(row.came === null ? {} : { lines: linesOf(row) }),
    ...(row.text === null ? {} : { text: row.text }),
    ...(command === undefined ? {} : { commandKind: command }),
    ...(row.exit === null ? {} : { exit: row.exit }),
    ...(row.tail === null ? {} : { tail: row.tail }),
    ...(row.call === null ? {} : { call: row.call }),
    ...(row.since === null ? {} : { since: row.since }),
    ...(row.facts === null ? {} : factsOf(row.facts)),
  }
}

export interface RunsRow {
  readonly facts: string
  readonly tail: string | null
  readonly count: number
  readonly time: number
  readonly session: string
}

export function repeatedRuns({ facts, tail, count, time, session }: RunsRow): RepeatedRuns {
  const { runs = [] } = factsOf(facts)
  return { runs, count, time, sessionId: session, ...(tail === null ? {} : { tail }) }
}

function factsText({ runs, git }: Deed): string | null {
  return runs?.length || git?.length ? JSON.stringify({ runs, git }) : null
}

/** Written by this program into a file of its own. */
function factsOf(text: string): Pick<Deed, 'runs' | 'git'> {
  return JSON.parse(text)
}

function linesOf({ plus, minus, came, gone, words }: DeedRow) {
  return {
    plus: plus ?? 0,
    minus: minus ?? 0,
    came: unpackPrints(came),
    gone: unpackPrints(gone),
    ...(words === null ? {} : { words: words.split(' ') }),
  }
}
