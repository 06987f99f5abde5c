import type { Dialog, DialogStatus } from '../../../../src/dialogs/dialog.ts'
import { shownLine, shownPreview } from '../../../../src/dialogs/preview.ts'

const LONGEST_LABEL = 120

export const STATUSES: Readonly<Record<DialogStatus, { icon: string; words: string }>> = {
  pending: { icon: 'circle-outline', words: 'nothing asked yet' },
  in_progress: { icon: 'sync', words: 'being answered' },
  completed: { icon: 'pass', words: 'answered' },
  canceled: { icon: 'circle-slash', words: 'cancelled' },
  failed: { icon: 'error', words: 'failed' },
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** Put together here, since `Intl.RelativeTimeFormat` takes 15 ms to set up and would be most of what activation costs. */
export function ago(time: number, now = Date.now()): string {
  const passed = Math.max(0, now - time)
  const [unit, ms] = UNITS.find(([, length]) => passed >= length) ?? [undefined, 1]
  return unit ? `${counted(Math.floor(passed / ms), unit)} ago` : 'just now'
}

export function titleOf({
  title,
  firstRequestPreview,
}: Pick<Dialog, 'title' | 'firstRequestPreview'>): string {
  return (title ? oneLine(title) : shownPreview(firstRequestPreview ?? '')) || 'Empty dialog'
}

export function oneLine(text: string): string {
  return shownLine(text, LONGEST_LABEL)
}

export function requestCount(count: number): string {
  return counted(count, 'request')
}

export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
