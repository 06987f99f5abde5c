import { useRef, useState } from 'preact/hooks'
import { call } from '../../live/api.ts'
import { pathTo } from '../../live/router.ts'
import { useQuery } from '../../live/use-query.ts'
import { Marked } from '../../parts/find/found-line.tsx'
import { Loaded } from '../../parts/states.tsx'

const PAUSE_MS = 250

/** Words in all requests and answers of a dialog. Escape empties the field. */
export function FindInDialog({ session }: { readonly session: string }) {
  const [words, setWords] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const timer = useRef<number>()
  const later = (text: string) => {
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => setWords(text.trim()), PAUSE_MS)
  }
  const leave = () => {
    clearTimeout(timer.current)
    if (field.current) field.current.value = ''
    setWords('')
  }
  return (
    <search class="find-in-dialog">
      <input
        ref={field}
        type="search"
        aria-label="Find in this dialog"
        placeholder="Find in this dialog"
        maxLength={200}
        autocomplete="off"
        onInput={({ currentTarget }) => later(currentTarget.value)}
        onKeyDown={({ key }) => key === 'Escape' && leave()}
      />
      {words && <Hits session={session} words={words} />}
    </search>
  )
}

function Hits({ session, words }: { readonly session: string; readonly words: string }) {
  const query = useQuery(`find ${session} ${words}`, undefined, (signal) =>
    call('get /api/v1/dialogs/find', { query: { session, query: words }, signal }),
  )
  return (
    <Loaded query={query} rows={2}>
      {({ hits }) => (
        <>
          <p class="quiet-line" role="status">
            {hits.length === 0 ? 'Not found' : `${hits.length} found`}
          </p>
          <ol class="dialog-hits">
            {hits.map(({ index, part, text }) => (
              <li key={`${index} ${part}`}>
                <a href={pathTo(['dialogs'], { session, at: index })}>
                  {part === 'request' ? `Request ${index}` : `Answer to request ${index}`}
                </a>{' '}
                <Marked text={text} words={words} />
              </li>
            ))}
          </ol>
        </>
      )}
    </Loaded>
  )
}
