import { pathTo } from '../../live/router.ts'
import { plainTitle } from '../../parts/shown-text.ts'
import type { RequestText } from './dialog-data.ts'

interface RailProps {
  readonly session: string
  readonly requests: readonly RequestText[]
  readonly at: number | undefined
}

/** The requests of a page by their titles, beside the thread where there is room. */
export function RequestRail({ session, requests, at }: RailProps) {
  return (
    <nav class="rail" aria-label="Requests">
      <ol>
        {requests.map(({ index, title }) => (
          <li key={index}>
            <a
              href={pathTo(['dialogs'], { session, at: index })}
              aria-current={index === at ? 'true' : undefined}
            >
              <span class="rail-number">{index}</span>
              <span class="title">{plainTitle(title)}</span>
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
}
