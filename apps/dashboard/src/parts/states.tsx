import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ApiError } from '../live/api.ts'
import type { Query } from '../live/use-query.ts'

/** Nothing here yet: says why, and what to do about it. */
export function Empty({
  title,
  children,
}: {
  readonly title: string
  readonly children?: ComponentChildren
}) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  )
}

export function FamilyOff({ family, what }: { readonly family: string; readonly what: string }) {
  return (
    <Empty title={`${what} are off in this installation`}>
      <p>
        This server does not offer the <code>{family}</code> tools. Start it with{' '}
        <code>--families all</code>, or add <code>{family}</code> to <code>SECRETARY_FAMILIES</code>
        .
      </p>
    </Empty>
  )
}

export function Problem({ error, retry }: { readonly error: Error; readonly retry?: () => void }) {
  // What was asked for is not there or not possible: asking again changes nothing.
  const isFinal = error instanceof ApiError && error.status >= 400 && error.status < 500
  return (
    <div class="problem" role="alert">
      <p>{error.message}</p>
      {retry && !isFinal && (
        <button type="button" class="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  )
}

/** A limit was reached: nothing is wrong, and nobody has to do anything. */
function Patience({ waitMs }: { readonly waitMs: number }) {
  const [until] = useState(() => Date.now() + waitMs)
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((before) => before + 1), 1_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <p class="quiet-line" role="status">
      Rate limit reached. Retrying automatically
      <span aria-hidden="true"> in {Math.max(1, Math.ceil((until - Date.now()) / 1_000))} s</span>.
    </p>
  )
}

export function Waiting({ rows = 3 }: { readonly rows?: number }) {
  return (
    <div class="waiting" role="status">
      <span class="visually-hidden">Loading</span>
      {Array.from({ length: rows }, (_, row) => (
        <span class="waiting-line" key={row} aria-hidden="true" />
      ))}
    </div>
  )
}

interface LoadedProps<T> {
  readonly query: Query<T>
  readonly rows?: number
  readonly children: (value: T) => ComponentChildren
}

/** A query's value; what was seen before stays while it loads again. */
export function Loaded<T>({ query, rows, children }: LoadedProps<T>) {
  const { value, error, reload } = query
  const waitMs = error instanceof ApiError ? error.retryAfterMs : undefined
  return (
    <>
      {waitMs !== undefined && <Patience waitMs={waitMs} />}
      {error && waitMs === undefined && <Problem error={error} retry={reload} />}
      {value === undefined ? !error && <Waiting rows={rows} /> : children(value)}
    </>
  )
}
