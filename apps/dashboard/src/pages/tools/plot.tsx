import { useEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'

export interface Line {
  readonly label: string
  readonly values: readonly (number | null)[]
  readonly tone: 'accent' | 'ink' | 'bad' | 'warn'
  /** Counts stand for an hour; times are points in it. */
  readonly bars?: boolean
}

interface PlotProps {
  readonly title: string
  readonly times: readonly number[]
  readonly lines: readonly Line[]
  readonly unit: string
}

const HEIGHT = 170
const HOUR = 3_600
const HALF_LABEL = 28
/** Counts are whole, and times are not worth splitting further. */
const STEPS = [1, 2, 5]
  .flatMap((step) => [0, 1, 2, 3, 4, 5].map((power) => step * 10 ** power))
  .sort((a, b) => a - b)

/** One plot with a legend in words; the table below the plots holds the same figures for those who cannot see it. */
export function Plot({ title, times, lines, unit }: PlotProps) {
  const place = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<number | null>(null)
  const [theme, setTheme] = useState(0)

  useEffect(() => {
    const follow = () => setTheme((before) => before + 1)
    const media = window.matchMedia('(prefers-color-scheme: dark)')
    media.addEventListener('change', follow)
    window.addEventListener('secretary:theme', follow)
    return () => {
      media.removeEventListener('change', follow)
      window.removeEventListener('secretary:theme', follow)
    }
  }, [])

  useEffect(() => {
    const holder = place.current
    if (!holder) return
    const data = [times, ...lines.map(({ values }) => values)] as uPlot.AlignedData
    const plot = new uPlot(options(holder, lines, daysOf(times), unit, setAt), data, holder)
    const resize = new ResizeObserver(() =>
      plot.setSize({ width: holder.clientWidth, height: HEIGHT }),
    )
    resize.observe(holder)
    return () => {
      resize.disconnect()
      plot.destroy()
    }
  }, [times, lines, unit, theme])

  const time = at === null ? undefined : times[at]
  return (
    <figure class="plot">
      <figcaption>
        <span class="plot-title">{title}</span>
        <span class="legend">
          {lines.map(({ label, tone, values }) => (
            <span key={label} data-tone={tone}>
              {label} {at === null ? '' : reading(values[at], unit)}
            </span>
          ))}
          <span class="plot-time">
            {time === undefined
              ? ''
              : new Date(time * 1_000).toLocaleString([], {
                  weekday: 'short',
                  hour: '2-digit',
                  minute: '2-digit',
                })}
          </span>
        </span>
      </figcaption>
      <div
        ref={place}
        class="plot-canvas"
        role="img"
        aria-label={`${title}: ${spoken(lines, unit)}`}
      />
    </figure>
  )
}

function options(
  holder: HTMLElement,
  lines: readonly Line[],
  days: number,
  unit: string,
  setAt: (index: number | null) => void,
): uPlot.Options {
  const colour = (name: string) => {
    // A canvas does not know custom properties: the style sheet works them out on the holder.
    holder.style.color = `var(--${name})`
    return getComputedStyle(holder).color
  }
  const axis = {
    stroke: colour('muted'),
    grid: { stroke: colour('line'), width: 1 },
    ticks: { show: false },
    font: `11px ${getComputedStyle(holder).fontFamily}`,
  }
  return {
    width: holder.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    // The last label of the axis stands half behind its end.
    padding: [8, HALF_LABEL, 0, 0],
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: {
      // A bar stands for the hour that begins at its mark.
      x: { range: (_plot, min, max) => [min, max + HOUR] },
      y: { range: (_plot, _min, max) => [0, Math.max(1, (max ?? 0) * 1.1)] },
    },
    axes: [
      { ...axis, space: 70, values: (_plot, splits) => splits.map((at) => axisTime(at, days)) },
      {
        ...axis,
        incrs: STEPS,
        values: (_plot, splits) => splits.map((value) => reading(value, unit)),
        size: (_plot, values) => widest(values, axis.font) + 16,
      },
    ],
    series: [
      {},
      ...lines.map(({ label, tone, bars }) => ({
        label,
        stroke: colour(tone),
        width: bars ? 1 : 1.5,
        ...(bars
          ? {
              fill: colour(tone),
              paths: uPlot.paths.bars?.({ size: [0.7, 24], align: 1 }),
              points: { show: false },
            }
          : { points: { show: true, size: 5, fill: colour(tone) } }),
      })),
    ],
    hooks: { setCursor: [(plot) => setAt(plot.cursor.idx ?? null)] },
  }
}

const ruler = document.createElement('canvas').getContext('2d')

function widest(labels: readonly string[] | null, font: string): number {
  if (!ruler) return HALF_LABEL
  ruler.font = font
  return Math.max(0, ...(labels ?? []).map((label) => ruler.measureText(label).width))
}

function daysOf(times: readonly number[]): number {
  return ((times.at(-1) ?? 0) - (times[0] ?? 0)) / (24 * HOUR)
}

function axisTime(at: number, days: number): string {
  const date = new Date(at * 1_000)
  return days > 2
    ? date.toLocaleDateString([], { day: 'numeric', month: 'short' })
    : date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hour12: false })
}

function reading(value: number | null | undefined, unit: string): string {
  return value === null || value === undefined
    ? '–'
    : `${Number(value.toPrecision(3)).toLocaleString()}${unit}`
}

function spoken(lines: readonly Line[], unit: string): string {
  return lines
    .map(({ label, values }) => {
      const known = values.filter((value) => value !== null)
      return known.length === 0
        ? `${label} none`
        : `${label} at most ${reading(Math.max(...known), unit)}`
    })
    .join(', ')
}
