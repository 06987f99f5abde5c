import { byPosition, type PlacedDeed } from '../deeds/deeds-of-dialog.ts'
import { describeDeeds } from '../deeds/describe-deeds.ts'
import type { Dialog, Mark } from '../dialog.ts'
import type { DialogTexts } from '../dialog-texts.ts'
import { isBare, questionIn } from './bare-request.ts'
import type { RecalledRequest } from './compose-recall.ts'
import { standingWishes } from './standing-wishes.ts'

const MOST_LATEST = 40
const MOST_LOOKED_AT = 400

export interface GatheredRequests {
  readonly first?: RecalledRequest
  readonly latest: RecalledRequest[]
  readonly standing: string[]
}

/** The person's words, with what was done for them; several bare ones in a row count as one. */
export async function gatherRequests(
  texts: DialogTexts,
  dialog: Dialog,
  marks: readonly Mark[],
  deeds: readonly PlacedDeed[],
): Promise<GatheredRequests> {
  const done = byPosition(deeds)
  const standing = new Set<string>()
  const latest: RecalledRequest[] = []
  let first: RecalledRequest | undefined
  for (let position = marks.length; position >= 1; position--) {
    if (marks.length - position > MOST_LOOKED_AT && position > 1) continue
    const mark = marks[position - 1]
    if (!mark) continue
    const request = (await texts.requestText(dialog, mark)) ?? mark.preview
    for (const wish of standingWishes(request)) standing.add(wish)
    const timestamp = mark.time ?? dialog.firstSeen
    const did = describeDeeds(done.get(position) ?? [])
    const recalled = { index: position, timestamp, request, ...(did ? { done: did } : {}) }
    if (position === 1) first = recalled
    else if (latest.length < MOST_LATEST) await addLatest(texts, dialog, latest, recalled)
  }
  return { ...(first ? { first } : {}), latest, standing: [...standing] }
}

async function addLatest(
  texts: DialogTexts,
  dialog: Dialog,
  latest: RecalledRequest[],
  recalled: RecalledRequest,
): Promise<void> {
  const later = latest.at(-1)
  if (!isBare(recalled.request)) {
    latest.push(recalled)
    return
  }
  if (later && latest.length > 1 && later.answers !== undefined) {
    const done = [recalled.done, later.done].filter(Boolean).join('; ')
    latest[latest.length - 1] = {
      ...later,
      request: `${recalled.request} · ${later.request}`,
      ...(done ? { done } : {}),
    }
    return
  }
  const before = recalled.index - 1
  let answers: string | undefined
  for await (const { answer } of texts.turns(dialog, {
    from: before,
    to: before,
    longestAnswer: 20_000,
  }))
    answers = answer && questionIn(answer)
  latest.push({ ...recalled, ...(answers ? { answers } : {}) })
}
