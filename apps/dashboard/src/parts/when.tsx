const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
]

/** A time as people say it, with the exact one at hand. */
export function When({
  at,
  now = Date.now(),
}: {
  readonly at: string | number
  readonly now?: number
}) {
  const date = new Date(at)
  if (Number.isNaN(date.getTime()) || date.getTime() <= 0) return null
  return (
    <time dateTime={date.toISOString()} title={exact.format(date)}>
      {spoken(date, now)}
    </time>
  )
}

function spoken(date: Date, now: number): string {
  const ago = now - date.getTime()
  if (Math.abs(ago) < 60_000) return 'just now'
  if (Math.abs(ago) >= 7 * 86_400_000) return day.format(date)
  const [unit, ms] = STEPS.findLast(([, size]) => Math.abs(ago) >= size) ?? ['minute', 60_000]
  return relative.format(-Math.round(ago / ms), unit)
}
