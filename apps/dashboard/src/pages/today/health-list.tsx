import { useEffect } from 'preact/hooks'
import { call } from '../../live/api.ts'
import type { AnswerOf } from '../../live/api-types.ts'
import { shownPath } from '../../live/session.ts'
import { useQuery } from '../../live/use-query.ts'
import { shownBeginning } from '../../parts/shown-text.ts'
import { Loaded } from '../../parts/states.tsx'

type Check = AnswerOf<'get /api/v1/health'>['checks'][number]

const WORDS: Readonly<Record<Check['state'], string>> = {
  ok: 'OK',
  warning: 'warning',
  failing: 'failing',
}
const MAX_DETAIL = 90
const ORDER: readonly Check['state'][] = ['failing', 'warning', 'ok']

/** An index that is being built tells nobody when it is done. */
const LOOK_EVERY_MS = 15_000

export function HealthList() {
  const query = useQuery('health', 'context', (signal) => call('get /api/v1/health', { signal }))
  const { reload } = query
  useEffect(() => {
    const timer = setInterval(
      () => document.visibilityState === 'visible' && reload(),
      LOOK_EVERY_MS,
    )
    return () => clearInterval(timer)
  }, [reload])
  return (
    <section>
      <h2 class="section-title">Health</h2>
      <Loaded query={query}>
        {({ checks }) => (
          <ul class="health">
            {checks
              .toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))
              .map(({ name, state, detail, fix }) => (
                <li key={name} data-state={state}>
                  <span class="state">{WORDS[state]}</span>
                  <div>
                    <Detail name={name} detail={shownPath(detail)} />
                    {fix && <p class="fix">{withCode(fix)}</p>}
                  </div>
                </li>
              ))}
          </ul>
        )}
      </Loaded>
    </section>
  )
}

/** Commands stand between backticks. */
function withCode(text: string) {
  return text.split('`').map((part, nth) => (nth % 2 ? <code key={part}>{part}</code> : part))
}

/** Where it looked can be a long list, and is wanted only when something is missing. */
function Detail({ name, detail }: Pick<Check, 'name' | 'detail'>) {
  const shown = <span class="health-name">{name}</span>
  const text = <span class="health-detail">{detail}</span>
  if (detail.length <= MAX_DETAIL)
    return (
      <>
        {shown} {text}
      </>
    )
  return (
    <details>
      <summary>
        {shown} <span class="health-detail">{shownBeginning(detail, MAX_DETAIL)}</span>
      </summary>
      {text}
    </details>
  )
}
