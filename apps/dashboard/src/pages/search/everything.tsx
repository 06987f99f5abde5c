import { pathTo } from '../../live/router.ts'
import { addressOf, GROUP_NAMES, useFind } from '../../parts/find/found.ts'
import { FoundLine } from '../../parts/find/found-line.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { StillReading } from '../../parts/still-reading.tsx'

const IN_A_GROUP = 20

/** All that was found, in groups, each hit a link. */
export function Everything({ typed }: { readonly typed: string }) {
  const query = useFind(typed, IN_A_GROUP)
  return (
    <Loaded query={query} rows={8}>
      {({ groups, words, note }) => (
        <>
          <StillReading note={note} reload={query.reload} />
          {groups.length === 0 && (
            <Empty title={`Nothing found for “${typed}”`}>
              <p>
                Try other or fewer words, or{' '}
                <a href={pathTo(['search'], { q: typed })}>by meaning</a>. <code>agent:codex</code>,{' '}
                <code>project:shop</code>, <code>after:7d</code> and <code>file:src/</code> narrow
                the search.
              </p>
            </Empty>
          )}
          {groups.map(({ kind, found }) => (
            <section key={kind}>
              <h2 class="section-title">
                {GROUP_NAMES[kind]} <span class="count">{found.length}</span>
              </h2>
              <ol class="found-list">
                {found.map((one, place) => (
                  <li key={place}>
                    <a class="found" href={addressOf(one)}>
                      <FoundLine found={one} words={words} />
                    </a>
                  </li>
                ))}
              </ol>
            </section>
          ))}
        </>
      )}
    </Loaded>
  )
}
