import type { PlacedDeed } from '../deeds/deeds-of-dialog.ts'
import { describeEnd } from '../deeds/describe-deeds.ts'

/** The last test and build and how they ended, and what waits for somebody. */
export function openEnds(deeds: readonly PlacedDeed[], totalRequests: number): string[] {
  const ends = (['test', 'build', 'lint'] as const).flatMap((kind) => {
    const last = deeds.findLast(
      ({ commandKind, exit }) => commandKind === kind && exit !== undefined,
    )
    if (!last) return []
    const why = last.exit === 0 ? '' : `: ${last.tail?.split('\n').at(-1) ?? `exit ${last.exit}`}`
    return [`last ${describeEnd(last)} at request ${last.position}${why}`]
  })
  const now = deeds.filter(({ position }) => position === totalRequests)
  const asked = now.findLast(({ kind }) => kind === 'question')
  return [
    ...ends,
    ...(now.at(-1)?.kind === 'interrupt' ? [`request ${totalRequests} was interrupted`] : []),
    ...(asked && !asked.tail ? [`open question: ${asked.text}`] : []),
  ]
}
