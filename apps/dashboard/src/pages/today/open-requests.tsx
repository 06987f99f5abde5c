import { pathTo } from '../../live/router.ts'
import { shownBeginning } from '../../parts/shown-text.ts'
import { When } from '../../parts/when.tsx'
import { AnsweredQuestion } from '../dialogs/answered-question.tsx'
import { DoubtTag } from '../dialogs/request-deeds.tsx'
import type { Asked } from './today-data.ts'

const LONGEST = 140

/** Requests of the last week that something speaks against. */
export function OpenRequests({ requests }: { readonly requests: readonly Asked[] }) {
  if (requests.length === 0) return null
  return (
    <section>
      <h2 class="section-title">
        Open or failing <span class="count">{requests.length}</span>
      </h2>
      <ul class="plain-list">
        {requests.map(({ sessionId, index, timestamp, request, answers, against }) => (
          <li key={`${sessionId} ${index}`}>
            {against.map((doubt) => (
              <DoubtTag key={doubt} doubt={doubt} />
            ))}{' '}
            <a href={pathTo(['dialogs'], { session: sessionId, at: index })}>
              {shownBeginning(request, LONGEST)}
            </a>{' '}
            <span class="quiet-line">
              <When at={timestamp} />
            </span>
            <AnsweredQuestion question={answers} />
          </li>
        ))}
      </ul>
    </section>
  )
}
