import { agentName } from '@secretary-mcp/transcripts/source-names.ts'
import type { ComponentChildren } from 'preact'
import { go, pathTo, usePlace } from '../../live/router.ts'
import { useQuery } from '../../live/use-query.ts'
import { addressOf, GROUP_NAMES, useFind } from '../../parts/find/found.ts'
import { FoundLine } from '../../parts/find/found-line.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { StillReading } from '../../parts/still-reading.tsx'
import { listFacets } from '../dialogs/dialog-data.ts'

const IN_A_GROUP = 20
const MAX_AGENTS = 6
const TIMES = [
  ['Last day', 'after:1d'],
  ['Last week', 'after:7d'],
  ['Last month', 'after:30d'],
] as const

/** All that was found, in groups, each hit a link. */
export function Everything({ typed }: { readonly typed: string }) {
  const query = useFind(typed, IN_A_GROUP)
  const { query: place } = usePlace()
  const sources = useQuery('dialog facets', 'dialogs', listFacets).value?.sources ?? []
  const wanted = place.get('kind')
  const narrow = (changes: { kind?: string; q?: string }) =>
    go(pathTo(['search'], { by: 'all', kind: wanted ?? '', q: typed, ...changes }), {
      replace: true,
    })
  const kind = query.value?.groups.find((group) => group.kind === wanted)?.kind
  const narrowers = [
    ...TIMES.map(([name, word]) => ({ name, word })),
    ...sources.slice(0, MAX_AGENTS).map((source) => ({
      name: agentName(source),
      word: `agent:${source}`,
    })),
  ]
  return (
    <>
      <div class="chips">
        {narrowers.map(({ name, word }) => {
          const isOn = typed.split(' ').includes(word)
          return (
            <Chip key={word} isOn={isOn} onPress={() => narrow({ q: toggled(typed, word) })}>
              {name}
            </Chip>
          )
        })}
      </div>
      <Loaded query={query} rows={8}>
        {({ groups, words, note }) => (
          <>
            <StillReading note={note} reload={query.reload} />
            {groups.length === 0 && (
              <Empty title={`Nothing found for “${typed}”`}>
                <p>
                  Try other or fewer words, or{' '}
                  <a href={pathTo(['search'], { q: typed })}>by meaning</a>.{' '}
                  <code>agent:codex</code>, <code>project:shop</code>, <code>after:7d</code> and{' '}
                  <code>file:src/</code> narrow the search.
                </p>
              </Empty>
            )}
            {groups.length > 0 && (
              <div class="chips">
                {groups.length > 1 &&
                  [{ kind: undefined }, ...groups].map((group) => (
                    <Chip
                      key={group.kind ?? ''}
                      isOn={kind === group.kind}
                      onPress={() => narrow({ kind: group.kind ?? '' })}
                    >
                      {group.kind ? GROUP_NAMES[group.kind] : 'All kinds'}
                    </Chip>
                  ))}
              </div>
            )}
            {groups
              .filter((group) => kind === undefined || group.kind === kind)
              .map(({ kind, found }) => (
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
    </>
  )
}

interface ChipProps {
  readonly isOn: boolean
  readonly onPress: () => void
  readonly children: ComponentChildren
}

function Chip({ isOn, onPress, children }: ChipProps) {
  return (
    <button type="button" class="chip" aria-pressed={isOn} onClick={onPress}>
      {children}
    </button>
  )
}

/** A search has one agent and one time: the same word again takes it away, another takes its place. */
function toggled(typed: string, word: string): string {
  const [name = ''] = word.split(':')
  const words = typed.split(' ').filter(Boolean)
  const others = words.filter((one) => !one.startsWith(`${name}:`))
  return (words.includes(word) ? others : [...others, word]).join(' ')
}
