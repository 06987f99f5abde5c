import { useState } from 'preact/hooks'
import { call } from '../../live/api.ts'
import type { AnswerOf } from '../../live/api-types.ts'
import { pathTo } from '../../live/router.ts'
import { useFamily } from '../../live/session.ts'
import { changed } from '../../live/topics.ts'
import { useQuery } from '../../live/use-query.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { Pager } from '../../parts/pager.tsx'
import { shownBeginning } from '../../parts/shown-text.ts'
import { Empty, FamilyOff, Loaded } from '../../parts/states.tsx'
import { StillReading } from '../../parts/still-reading.tsx'
import { say } from '../../parts/toasts.tsx'
import { When } from '../../parts/when.tsx'

type Suggestion = AnswerOf<'get /api/v1/suggestions'>['suggestions'][number]

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
                  <ul class="suggestions">
                    {suggestions.map((suggestion) => (
                      <SuggestionRow key={suggestion.id} suggestion={suggestion} />
                    ))}
                  </ul>
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

function SuggestionRow({ suggestion }: { readonly suggestion: Suggestion }) {
  const { id, type, content, module, date, session, request } = suggestion
  const [busy, setBusy] = useState(false)
  const judge = async (verdict: 'confirmed' | 'dismissed') => {
    setBusy(true)
    try {
      await call('put /api/v1/suggestions/{id}', { params: { id }, body: { verdict } })
      const done = verdict === 'confirmed' ? 'Confirmed' : 'Dismissed'
      say(`${done}: ${shownBeginning(content, 60)}`)
    } catch (error) {
      say((error as Error).message)
    }
    changed('context')
    setBusy(false)
  }
  return (
    <li>
      <div class="row-main">
        <p>{content}</p>
        <p class="quiet-line">
          {type}
          {module && `, ${module}`}
          {session && (
            <>
              {', '}
              <a href={pathTo(['dialogs'], { session, at: request })}>
                {request ? `from request ${request}` : 'from a dialog'}
              </a>
            </>
          )}
          {', '}
          <When at={date} />
        </p>
      </div>
      <div class="suggestion-actions">
        <button
          type="button"
          class="button"
          disabled={busy}
          aria-label={`Confirm: ${content}`}
          onClick={() => judge('confirmed')}
        >
          Confirm
        </button>
        <button
          type="button"
          class="button quiet"
          disabled={busy}
          aria-label={`Dismiss: ${content}`}
          onClick={() => judge('dismissed')}
        >
          Dismiss
        </button>
      </div>
    </li>
  )
}
