import { useState } from 'preact/hooks'
import { call } from '../../live/api.ts'
import type { AnswerOf } from '../../live/api-types.ts'
import { pathTo } from '../../live/router.ts'
import { useFamily } from '../../live/session.ts'
import { changed } from '../../live/topics.ts'
import { useQuery } from '../../live/use-query.ts'
import { shownBeginning } from '../../parts/shown-text.ts'
import { say } from '../../parts/toasts.tsx'
import { When } from '../../parts/when.tsx'

type Suggestion = AnswerOf<'get /api/v1/suggestions'>['suggestions'][number]

const MAX_WAITING = 5

/** The first suggestions, where rules are: nothing if none waits. */
export function WaitingSuggestions() {
  const on = useFamily('context')
  const { value } = useQuery(on ? 'waiting suggestions' : undefined, 'context', (signal) =>
    call('get /api/v1/suggestions', { query: { limit: MAX_WAITING }, signal }),
  )
  if (!value || value.total === 0) return null
  return (
    <section>
      <h2 class="section-title">
        Suggested <span class="count">{value.total.toLocaleString()}</span>
        {value.total > MAX_WAITING && (
          <a class="section-link" href={pathTo(['suggestions'])}>
            all suggestions
          </a>
        )}
      </h2>
      <SuggestionList suggestions={value.suggestions} />
    </section>
  )
}

export function SuggestionList({ suggestions }: { readonly suggestions: readonly Suggestion[] }) {
  return (
    <ul class="suggestions">
      {suggestions.map((suggestion) => (
        <SuggestionRow key={suggestion.id} suggestion={suggestion} />
      ))}
    </ul>
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
