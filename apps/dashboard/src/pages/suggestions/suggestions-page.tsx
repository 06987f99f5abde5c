import { useState } from 'preact/hooks'
import { call } from '../../live/api.ts'
import { pathTo } from '../../live/router.ts'
import { useFamily } from '../../live/session.ts'
import { useQuery } from '../../live/use-query.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Empty, FamilyOff, Loaded } from '../../parts/states.tsx'
import { StillReading } from '../../parts/still-reading.tsx'
import { SuggestionList } from './suggestion-list.tsx'

const PAGE_SIZE = 20

export function SuggestionsPage() {
  const on = useFamily('context')
  const [page, setPage] = useState(0)
  const query = useQuery(on ? `suggestions ${page}` : undefined, 'context', (signal) =>
    call('get /api/v1/suggestions', {
      query: { limit: PAGE_SIZE, offset: page * PAGE_SIZE },
      signal,
    }),
  )
  return (
    <>
      <p class="crumb">
        <a href={pathTo(['guide'])}>Rules</a>
      </p>
      <PageHeader
        title="Suggestions"
        lead="Decisions, rules, patterns and issues that you typed in dialogs. Agents see only those that you confirm."
      />
      {on ? (
        <Loaded query={query} rows={5}>
          {({ suggestions, total, note }) => (
            <>
              <StillReading note={note} reload={query.reload} />
              {total === 0 ? (
                <Empty title="No suggestions">
                  <p>
                    A sentence such as “we decided to keep sessions in Redis” in one of your
                    requests shows up here.
                  </p>
                </Empty>
              ) : (
                <>
                  <SuggestionList suggestions={suggestions} />
                  <Pager page={page} pageSize={PAGE_SIZE} total={total} onPage={setPage} />
                </>
              )}
            </>
          )}
        </Loaded>
      ) : (
        <FamilyOff family="context" what="Suggestions" />
      )}
    </>
  )
}
