const DAY_MS = 86_400_000
const STEP = 14
const WEEKS = 54
export const SIDE = 11
export const WIDTH = WEEKS * STEP
export const HEIGHT = 7 * STEP

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
      x: week * STEP,
      y: ((place + shift) % 7) * STEP,
      requests,
      level: requests === 0 ? 0 : Math.min(4, Math.ceil((4 * requests) / most)),
    })
  }
  return cells
}

/** The same as a file of its own, with its colours. */
export function heatMapSvg(cells: readonly Cell[]): string {
  const squares = cells.map(
    ({ day, x, y, level, requests }) =>
      `<rect x="${x}" y="${y}" width="${SIDE}" height="${SIDE}" rx="2" fill="${COLOURS[level]}"><title>${day}: ${requests}</title></rect>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">${squares.join('')}</svg>\n`
}
