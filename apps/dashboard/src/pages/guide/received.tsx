import { call } from '../../live/api.ts'
import { pathTo } from '../../live/router.ts'
import { useQuery } from '../../live/use-query.ts'
import { Loaded } from '../../parts/states.tsx'

/** What an agent is told in this project, and what that costs it. */
export function Received() {
  const query = useQuery('guide received', 'guide', (signal) =>
    call('get /api/v1/guide/received', { signal }),
  )
  return (
    <section class="spaced">
      <h2 class="section-title">What an agent gets here</h2>
      <Loaded query={query} rows={3}>
        {({ rules, total, words, tokens }) => (
          <>
            <p class="quiet-line">
              {total} {total === 1 ? 'rule' : 'rules'}. The project’s collection has{' '}
              {words.toLocaleString()} words, about {tokens.toLocaleString()} tokens.
            </p>
            <ul class="documents">
              {rules.map(({ uri, title, line }) => (
                <li key={uri}>
                  <a href={pathTo(['guide'], { document: uri })}>{title}</a>
                  {line && <span class="note">{line}</span>}
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </section>
  )
}
