import { useEffect, useRef } from 'preact/hooks'
import { go, pathTo } from '../live/router.ts'
import { pauseAfter, withinMinute } from './search-pace.ts'

interface SearchBoxProps {
  readonly page: string
  readonly words: string
  readonly label: string
  /** What else the address says, kept beside the words. */
  readonly beside?: Readonly<Record<string, string | undefined>>
}

let earlier: readonly number[] = []

/** Searches when one pauses, or at once with Enter; the words live in the address. */
export function SearchBox({ page, words, label, beside = {} }: SearchBoxProps) {
  const field = useRef<HTMLInputElement>(null)
  const timer = useRef<number>()
  useEffect(() => {
    if (field.current && document.activeElement !== field.current) field.current.value = words
  }, [words])
  const search = () => {
    clearTimeout(timer.current)
    const now = Date.now()
    if (field.current?.value !== words) earlier = [...withinMinute(earlier, now), now]
    go(pathTo([page], { ...beside, q: field.current?.value }), { replace: true })
  }
  // A filter that is chosen during the pause belongs to the search.
  const latest = useRef(search)
  latest.current = search
  const searchLater = () => {
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => latest.current(), pauseAfter(earlier, Date.now()))
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <search class="search-box">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          search()
        }}
      >
        <input
          ref={field}
          type="search"
          defaultValue={words}
          aria-label={label}
          placeholder={label}
          maxLength={500}
          autocomplete="off"
          onInput={searchLater}
        />
      </form>
    </search>
  )
}
