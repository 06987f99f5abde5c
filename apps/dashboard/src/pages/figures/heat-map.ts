const DAY_MS = 86_400_000
const STEP = 14
const WEEKS = 54
const LEFT = 32
const TOP = 18
/** Weeks between the names of two months, so that they do not touch. */
const APART = 3
export const SIDE = 11
export const WIDTH = LEFT + WEEKS * STEP
export const HEIGHT = TOP + 7 * STEP

/** From nothing to the most. */
const COLOURS = ['#e5e2dc', '#bfe0d9', '#7fc4b7', '#3a9c8b', '#0b6b5d']

export interface Cell {
  readonly day: string
  readonly x: number
  readonly y: number
  readonly requests: number
  /** 0 for none, 4 for the most. */
  readonly level: number
}

/** A month above its first week, or a day of the week beside its row. */
export interface Label {
  readonly text: string
  readonly x: number
  readonly y: number
}

interface Day {
  readonly day: string
  readonly requests: number
}

/** A square for each day since then, weeks side by side, Sunday at the top. */
export function cellsOf(since: string, days: readonly Day[], today = Date.now()): Cell[] {
  const counts = new Map<string, number>()
  for (const { day, requests } of days) counts.set(day, (counts.get(day) ?? 0) + requests)
  const most = Math.max(1, ...counts.values())
  const first = Date.parse(since)
  const shift = new Date(first).getUTCDay()
  const cells: Cell[] = []
  for (let at = first, place = 0; at <= today; at += DAY_MS, place++) {
    const day = new Date(at).toISOString().slice(0, 10)
    const requests = counts.get(day) ?? 0
    const week = Math.floor((place + shift) / 7)
    cells.push({
      day,
      x: LEFT + week * STEP,
      y: TOP + ((place + shift) % 7) * STEP,
      requests,
      level: requests === 0 ? 0 : Math.min(4, Math.ceil((4 * requests) / most)),
    })
  }
  return cells
}

const WEEKDAYS: readonly Label[] = ['Mon', 'Wed', 'Fri'].map((text, nth) => ({
  text,
  x: 0,
  y: TOP + (1 + 2 * nth) * STEP + SIDE - 1,
}))

export function labelsOf(cells: readonly Cell[]): Label[] {
  const months: Label[] = []
  let month = ''
  for (const { day, x } of cells) {
    if (day.slice(0, 7) === month) continue
    month = day.slice(0, 7)
    const before = months.at(-1)
    // What is left of a month before the next begins has no room for its name.
    if (before && x - before.x < APART * STEP) months.pop()
    months.push({ text: monthName(day), x, y: TOP - 7 })
  }
  return [...months, ...WEEKDAYS]
}

function monthName(day: string): string {
  return new Date(day).toLocaleString('en', { month: 'short', timeZone: 'UTC' })
}

/** The same as a file of its own, with its colours. */
export function heatMapSvg(cells: readonly Cell[]): string {
  const squares = cells.map(
    ({ day, x, y, level, requests }) =>
      `<rect x="${x}" y="${y}" width="${SIDE}" height="${SIDE}" rx="2" fill="${COLOURS[level]}"><title>${day}: ${requests}</title></rect>`,
  )
  const labels = labelsOf(cells).map(
    ({ text, x, y }) =>
      `<text x="${x}" y="${y}" font-family="sans-serif" font-size="10" fill="#6b6b6b">${text}</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">${[...squares, ...labels].join('')}</svg>\n`
}
