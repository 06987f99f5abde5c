import { useEffect } from 'preact/hooks'

interface StillReadingProps {
  /** What the server says beside an answer as long as it reads dialogs. */
  readonly note: string | undefined
  readonly reload: () => void
}

const AGAIN_MS = 2_000

/** One line while an answer lacks something; it is asked for again until nothing is missing. */
export function StillReading({ note, reload }: StillReadingProps) {
  const isReading = note !== undefined
  useEffect(() => {
    if (!isReading) return
    // What was read last tells of itself; that nothing more is to come tells nobody.
    const timer = setInterval(reload, AGAIN_MS)
    return () => clearInterval(timer)
  }, [isReading, reload])
  if (!isReading) return null
  const [words, count] = note.split(':')
  return (
    <p class="quiet-line still-reading" role="status">
      {words}
      {/* Said once, not at every step. */}
      {count && <span aria-hidden="true">:{count}</span>}
    </p>
  )
}
