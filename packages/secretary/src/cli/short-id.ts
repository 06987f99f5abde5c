import { UsageError } from './command-context.ts'
import type { Terminal } from './terminal.ts'

const SHORTEST = 8
const MOST_LISTED = 10

/** The beginning of an id that no other one has, for a person to read and type. */
export function shortIds(ids: Iterable<string>): (id: string) => string {
  const sorted = [...new Set(ids)].sort()
  const short = new Map(
    sorted.map((id, at) => {
      const common = Math.max(commonStart(id, sorted[at - 1]), commonStart(id, sorted[at + 1]))
      return [id, id.slice(0, Math.max(SHORTEST, common + 1))]
    }),
  )
  return (id) => short.get(id) ?? id
}

/** Ids as a person sees them on a screen; a pipe gets them whole. */
export function shownIds({ columns }: Terminal, ids: Iterable<string>): (id: string) => string {
  return columns === Number.POSITIVE_INFINITY ? (id) => id : shortIds(ids)
}

/** The one id that begins so; what was given where none does, for the command itself to say so. */
export function idStartingWith(ids: Iterable<string>, given: string): string {
  const fitting = [...new Set(ids)].filter((id) => id.startsWith(given)).sort()
  if (fitting.includes(given) || given === '') return given
  if (fitting.length <= 1) return fitting[0] ?? given
  const listed = fitting.slice(0, MOST_LISTED).map((id) => `  ${id}`)
  const more = fitting.length - listed.length
  throw new UsageError(
    [
      `${given} is the beginning of ${fitting.length} ids; type more of the one you mean:`,
      ...listed,
      ...(more > 0 ? [`  … and ${more} more`] : []),
    ].join('\n'),
  )
}

function commonStart(one: string, other = ''): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}
