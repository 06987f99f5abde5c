import { agentName } from '@secretary-mcp/transcripts/source-names.ts'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { call } from '../../live/api.ts'
import { useQuery } from '../../live/use-query.ts'
import { Scrollable } from '../../parts/scrollable.tsx'
import { Select } from '../../parts/select.tsx'
import { Loaded } from '../../parts/states.tsx'
import { dayAgo } from './day-ago.ts'
import { cellsOf, HEIGHT, heatMapSvg, labelsOf, SIDE, WIDTH } from './heat-map.ts'

/** A year of requests, a square for each day, of all agents or of one. */
export function RequestYear() {
  const since = dayAgo(364)
  const [agent, setAgent] = useState('')
  const query = useQuery(`request days ${since}`, 'dialogs', (signal) =>
    call('get /api/v1/dialogs/days', { query: { since }, signal }),
  )
  return (
    <section>
      <h2 class="section-title">Requests in the past year</h2>
      <Loaded query={query} rows={4}>
        {({ days }) => {
          const agents = [...new Set(days.map(({ source }) => source))]
          return (
            <>
              <div class="filters">
                <Select
                  label="Agent"
                  value={agent}
                  options={[
                    ['', 'Every agent'],
                    ...agents.map((one) => [one, agentName(one)] as const),
                  ]}
                  onChange={setAgent}
                />
              </div>
              <HeatMap
                since={since}
                days={days.filter(({ source }) => agent === '' || source === agent)}
              />
            </>
          )
        }}
      </Loaded>
    </section>
  )
}

interface HeatMapProps {
  readonly since: string
  readonly days: readonly { readonly day: string; readonly requests: number }[]
}

function HeatMap({ since, days }: HeatMapProps) {
  const cells = useMemo(() => cellsOf(since, days), [since, days])
  const place = useRef<HTMLElement>(null)
  // Where the year is wider than the screen, its end is what people look for.
  useLayoutEffect(() => place.current?.scrollTo({ left: WIDTH }), [])
  const total = days.reduce((sum, { requests }) => sum + requests, 0)
  const download = () => {
    const url = URL.createObjectURL(new Blob([heatMapSvg(cells)], { type: 'image/svg+xml' }))
    Object.assign(document.createElement('a'), { href: url, download: 'requests.svg' }).click()
    setTimeout(() => URL.revokeObjectURL(url), 1_000)
  }
  return (
    <>
      <Scrollable class="heat-map" label="Requests of each day" place={place}>
        <svg
          role="img"
          aria-label={`${total.toLocaleString()} requests in the last year`}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          width={WIDTH}
          height={HEIGHT}
        >
          {cells.map(({ day, x, y, level, requests }) => (
            <rect key={day} x={x} y={y} width={SIDE} height={SIDE} rx={2} data-level={level}>
              <title>{`${day}: ${requests} ${requests === 1 ? 'request' : 'requests'}`}</title>
            </rect>
          ))}
          {labelsOf(cells).map(({ text, x, y }) => (
            <text key={`${text} ${x}`} x={x} y={y}>
              {text}
            </text>
          ))}
        </svg>
      </Scrollable>
      <p class="quiet-line">
        {total.toLocaleString()} requests{' '}
        <button type="button" class="button quiet" onClick={download}>
          Export as SVG
        </button>
      </p>
    </>
  )
}
