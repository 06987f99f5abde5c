import { whenPersonLeaves } from '../live/person.ts'
import { createStore, useStore } from '../live/store.ts'

interface Toast {
  readonly id: number
  readonly text: string
  readonly undo?: () => void
}

const toasts = createStore<readonly Toast[]>([])
let last = 0

export const UNDO_MS = 10_000

/** A short notice at the edge of the page, with a way back where there is one. */
export function say(text: string, undo?: () => void, ms: number = UNDO_MS): () => void {
  const id = ++last
  toasts.set([...toasts.get().slice(-3), { id, text, undo }])
  const dismiss = () => toasts.set(toasts.get().filter((toast) => toast.id !== id))
  setTimeout(dismiss, ms)
  return dismiss
}

whenPersonLeaves(() => toasts.set([]))

export function undoLatest(): void {
  const toast = toasts.get().findLast(({ undo }) => undo)
  if (toast) take(toast)
}

export function Toasts() {
  return (
    <section class="toasts" aria-label="Notices" aria-live="polite">
      {useStore(toasts).map((toast) => (
        <div class="toast" key={toast.id}>
          <span>{toast.text}</span>
          {toast.undo && (
            <button type="button" class="button quiet" onClick={() => take(toast)}>
              Undo
            </button>
          )}
        </div>
      ))}
    </section>
  )
}

function take(toast: Toast): void {
  toasts.set(toasts.get().filter(({ id }) => id !== toast.id))
  toast.undo?.()
}
