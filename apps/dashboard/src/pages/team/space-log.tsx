import { call } from '../../live/api.ts'
import { useQuery } from '../../live/use-query.ts'
import { Empty, Loaded } from '../../parts/states.tsx'
import { When } from '../../parts/when.tsx'
import { changeSentence } from './change-sentence.ts'

const SHOWN = 100

/** Who changed what, the latest first. It names people and things, never what a shared text says. */
export function SpaceLog({ space }: { readonly space: string }) {
  const log = useQuery(`space log ${space}`, 'team', (signal) =>
    call('get /api/v1/spaces/{space}/audit', {
      params: { space },
      query: { limit: SHOWN, offset: 0 },
      signal,
    }),
  )
  return (
    <section>
      <h2 class="section-title">Changes</h2>
      <Loaded query={log} rows={3}>
        {({ entries, total }) =>
          entries.length === 0 ? (
            <Empty title="Nothing has been shared or changed yet" />
          ) : (
            <>
              <ul class="space-log">
                {entries.map((entry, place) => (
                  <li key={`${entry.at} ${place}`}>
                    <span>
                      <strong>{entry.user}</strong> {changeSentence(entry)}
                    </span>
                    <span class="row-side">
                      <When at={entry.at} />
                    </span>
                  </li>
                ))}
              </ul>
              {total > entries.length && (
                <p class="quiet-line">
                  The latest {entries.length} of {total.toLocaleString()};{' '}
                  <code>secretary team audit</code> shows more.
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </section>
  )
}
