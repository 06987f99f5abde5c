import { useState } from 'preact/hooks'
import { call } from '../../live/api.ts'
import { pathTo } from '../../live/router.ts'
import { changed } from '../../live/topics.ts'
import { useQuery } from '../../live/use-query.ts'
import { DiffText } from '../../parts/diff-text.tsx'
import { Loaded } from '../../parts/states.tsx'
import { say } from '../../parts/toasts.tsx'

/** The rules that a project brings along are followed only after the person has read them and said so. */
export function TrustCard() {
  const state = useQuery('guide trust', 'guide', (signal) =>
    call('get /api/v1/guide/trust', { signal }),
  )
  const [busy, setBusy] = useState(false)
  const decide = (trusted: boolean, version?: string) => {
    setBusy(true)
    call('put /api/v1/guide/trust', { body: { trusted, version } })
      .then(() => {
        changed('guide')
        say(
          trusted
            ? 'Agents now follow the rules of this project'
            : 'Agents no longer follow the rules of this project',
          trusted ? () => decide(false) : undefined,
        )
      })
      .catch((error: Error) => {
        changed('guide')
        say(error.message)
      })
      .finally(() => setBusy(false))
  }
  return (
    <Loaded query={state} rows={1}>
      {({ trusted, documents, version }) =>
        trusted ? (
          <p class="quiet-line">
            You trust the rules in this project’s <code>.guide</code> folder.{' '}
            <button type="button" class="button" disabled={busy} onClick={() => decide(false)}>
              Stop trusting them
            </button>
          </p>
        ) : documents.length > 0 ? (
          <section aria-labelledby="untrusted-rules">
            <h2 class="section-title" id="untrusted-rules">
              {documents.some(({ state }) => state === 'changed')
                ? 'The rules of this project have changed'
                : 'This project brings its own rules'}
            </h2>
            <p>Agents do not follow them until you trust them. Read them first:</p>
            <ul class="documents">
              {documents.map(({ path, state, change }) => (
                <li key={path}>
                  <a class="path" href={pathTo(['file'], { path: `.guide/${path}` })}>
                    .guide/{path}
                  </a>{' '}
                  <span class="tag">{state}</span>
                  <details>
                    <summary>{state === 'new' ? 'Show its text' : 'Show changes'}</summary>
                    <DiffText text={change} />
                  </details>
                </li>
              ))}
            </ul>
            <button
              type="button"
              class="button"
              disabled={busy}
              onClick={() => decide(true, version)}
            >
              Trust these rules
            </button>
          </section>
        ) : null
      }
    </Loaded>
  )
}
