import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'

/** Opens a dialog over everything, and gives the focus back to where it was, or to the heading where that is gone. */
export function useModal(dialog: RefObject<HTMLDialogElement>): void {
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    // Nothing outside of it takes the focus before it has left the page.
    return () => void setTimeout(() => giveBack(before))
  }, [dialog])
}

function giveBack(before: Element | null): void {
  if (document.activeElement !== document.body) return
  if (before instanceof HTMLElement && before !== document.body && before.isConnected)
    before.focus()
  else document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
}
