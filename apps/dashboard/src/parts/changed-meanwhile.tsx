import type { ComponentChildren } from 'preact'
import { ApiError } from '../live/api.ts'

interface ChangedProps {
  /** What the others wrote; what the person wrote is in the form. */
  readonly children?: ComponentChildren
  readonly question?: string
  readonly mine?: string
  readonly theirs?: string
  readonly onMine: () => void
  readonly onTheirs: () => void
}

const CHANGED = 'This was changed elsewhere while you were editing.'

/** Two have changed the same thing: nothing is saved until the person has seen both. */
export function ChangedMeanwhile({
  children,
  question = CHANGED,
  mine = 'Save mine',
  theirs = 'Take theirs',
  onMine,
  onTheirs,
}: ChangedProps) {
  return (
    <div class="problem meanwhile" role="alert">
      <p>{question} Nothing has been saved yet.</p>
      {children}
      <div class="form-actions">
        <button type="button" class="button primary" onClick={onMine}>
          {mine}
        </button>
        <button type="button" class="button" onClick={onTheirs}>
          {theirs}
        </button>
      </div>
    </div>
  )
}

/** What a refused save was not based on. */
export function foundMeanwhile<T>(error: unknown): T | undefined {
  if (!(error instanceof ApiError) || error.body.error !== 'changed_meanwhile') return undefined
  return error.body.details as T
}
