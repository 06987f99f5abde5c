import type { AnswerOf } from '../../live/api-types.ts'
import { pathTo } from '../../live/router.ts'
import { When } from '../../parts/when.tsx'

export type Decision = AnswerOf<'get /api/v1/decisions'>['decisions'][number]

/** A decision, and the way to where it was made. */
export function DecisionLine({ decision }: { readonly decision: Decision }) {
  const { content, date, session, request, changedFiles } = decision
  return (
    <li>
      {content}{' '}
      <span class="quiet-line">
        {session && (
          <>
            <a href={pathTo(['dialogs'], { session, at: request })}>
              {request ? `from request ${request}` : 'from a dialog'}
            </a>
            ,{' '}
          </>
        )}
        <When at={date} />
        {changedFiles.length > 0 && `, recheck: ${changedFiles.join(', ')} changed since`}
      </span>
    </li>
  )
}
