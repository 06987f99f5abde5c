import type { Dialog, DialogStatus } from '@secretary-mcp/transcripts/dialog.ts'
import { shownLine, shownPreview } from '@secretary-mcp/transcripts/preview.ts'
import { l10n } from 'vscode'

const MAX_LABEL = 120

export const STATUSES: Readonly<Record<DialogStatus, { icon: string; words: string }>> = {
  pending: { icon: 'circle-outline', words: l10n.t('nothing asked yet') },
  in_progress: { icon: 'sync', words: l10n.t('being answered') },
  completed: { icon: 'pass', words: l10n.t('answered') },
  canceled: { icon: 'circle-slash', words: l10n.t('cancelled') },
  failed: { icon: 'error', words: l10n.t('failed') },
}

type Counted = (count: number) => string

const UNITS: readonly (readonly [ms: number, ago: Counted])[] = [
  [86_400_000, (n) => (n === 1 ? l10n.t('1 day ago') : ending(l10n.t('{0} days ago', n), n))],
  [3_600_000, (n) => (n === 1 ? l10n.t('1 hour ago') : ending(l10n.t('{0} hours ago', n), n))],
  [60_000, (n) => (n === 1 ? l10n.t('1 minute ago') : ending(l10n.t('{0} minutes ago', n), n))],
]

/** Put together here, since `Intl.RelativeTimeFormat` takes 15 ms to set up and would be most of what activation costs. */
export function ago(time: number, now = Date.now()): string {
  const passed = Math.max(0, now - time)
  const [ms, words] = UNITS.find(([length]) => passed >= length) ?? []
  return ms && words ? words(Math.floor(passed / ms)) : l10n.t('just now')
}

export function titleOf({
  title,
  firstRequestPreview,
}: Pick<Dialog, 'title' | 'firstRequestPreview'>): string {
  return (
    (title ? oneLine(title) : shownPreview(firstRequestPreview ?? '')) || l10n.t('Empty dialog')
  )
}

export function oneLine(text: string): string {
  return shownLine(text, MAX_LABEL)
}

export const requestCount: Counted = (n) =>
  n === 1 ? l10n.t('1 request') : ending(l10n.t('{0} requests', n), n)

export const openTaskCount: Counted = (n) =>
  n === 1 ? l10n.t('1 open task') : ending(l10n.t('{0} open tasks', n), n)

export const commandCount: Counted = (n) =>
  n === 1 ? l10n.t('1 command') : ending(l10n.t('{0} commands', n), n)

/** A language with several plurals has them all in one text: for 21, for 22 to 24, and for the rest. */
function ending(text: string, count: number): string {
  const [first = '', few = first, many = first] = text.split('|')
  const last = Math.floor(count / 10) % 10 === 1 ? 0 : count % 10
  return last === 1 ? first : last >= 2 && last <= 4 ? few : many
}
