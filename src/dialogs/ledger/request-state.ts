import type { PlacedDeed } from '../deeds/deeds-of-dialog.ts'
import type { Standing } from './standing-lines.ts'

/** How far a request came, raised only by what was seen. */
export const STATES = ['asked', 'worked_on', 'changed', 'tested', 'committed'] as const
export type RequestState = (typeof STATES)[number]

/** What speaks against it. */
export const DOUBTS = ['interrupted', 'failing', 'undone', 'unanswered'] as const
export type Doubt = (typeof DOUBTS)[number]

const isChange = ({ kind }: PlacedDeed) =>
  kind === 'create' || kind === 'change' || kind === 'delete'
const hasEnded = ({ exit }: PlacedDeed) => exit !== undefined
/** Less than this of what came is as good as nothing. */
const UNDONE = 0.2
const GOOD_PART = 0.25

/** `own` are the request's deeds, `since` those from its first one to the end of the dialog. */
export function stateOf(own: readonly PlacedDeed[], since: readonly PlacedDeed[]): RequestState {
  const last = own.findLast(isChange)
  if (!last) {
    if (own.some(({ kind }) => kind === 'commit')) return 'committed'
    return own.length > 0 ? 'worked_on' : 'asked'
  }
  const after = since.slice(since.indexOf(last) + 1)
  if (after.some(({ kind }) => kind === 'commit')) return 'committed'
  const test = after.findLast((deed) => deed.commandKind === 'test' && hasEnded(deed))
  return test?.exit === 0 ? 'tested' : 'changed'
}

export function doubtsOf(
  own: readonly PlacedDeed[],
  since: readonly PlacedDeed[],
  standing: ReadonlyMap<string, Standing>,
  isUnanswered: boolean,
): Doubt[] {
  const doubts: Doubt[] = []
  if (own.at(-1)?.kind === 'interrupt') doubts.push('interrupted')
  if (own.some(isChange) && isFailing(since)) doubts.push('failing')
  if (isUndone(standing)) doubts.push('undone')
  if (isUnanswered) doubts.push('unanswered')
  return doubts
}

function isFailing(since: readonly PlacedDeed[]): boolean {
  return (['test', 'build'] as const).some((kind) => {
    const last = since.findLast((deed) => deed.commandKind === kind && hasEnded(deed))
    return last !== undefined && last.exit !== 0
  })
}

/** All of it, or a file that was a good part of it. */
function isUndone(standing: ReadonlyMap<string, Standing>): boolean {
  const files = [...standing.values()]
  const came = files.reduce((sum, file) => sum + file.came, 0)
  const stand = files.reduce((sum, file) => sum + file.stand, 0)
  const isGone = (part: Standing) => part.came > 0 && part.stand / part.came < UNDONE
  return (
    isGone({ came, stand }) || files.some((file) => isGone(file) && file.came >= came * GOOD_PART)
  )
}
