import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'

/**
 * A row that is redrawn or goes away takes the focus with it; whoever works by keyboard would begin at the top of the page.
 * The row that is now in its place gets it.
 */
export function useKeptFocus(list: RefObject<HTMLElement>): void {
  useEffect(() => {
    const holder = list.current
    if (!holder) return
    let last: { readonly place: number; readonly control?: string } | undefined
    const enter = ({ target }: FocusEvent) => {
      const row = (target as HTMLElement).closest('.virtual-row')
      last = row
        ? {
            place: Number(row.getAttribute('aria-posinset')),
            control: (target as HTMLElement).dataset.control,
          }
        : undefined
    }
    const leave = ({ target }: FocusEvent) => {
      // What was taken out of the page is gone by then; what is still there was left on purpose.
      setTimeout(() => {
        if ((target as HTMLElement).isConnected && !holder.contains(document.activeElement))
          last = undefined
      })
    }
    const restore = () => {
      if (!last || document.activeElement !== document.body) return
      const rows = [...holder.querySelectorAll('.virtual-row')]
      const row =
        rows.find((one) => Number(one.getAttribute('aria-posinset')) === last?.place) ??
        shortened(rows, last.place)
      const control =
        last.control && row?.querySelector<HTMLElement>(`[data-control="${last.control}"]`)
      ;(control || row?.querySelector<HTMLElement>('a, button, input'))?.focus({
        preventScroll: true,
      })
    }
    const watch = new MutationObserver(restore)
    watch.observe(holder, { childList: true, subtree: true })
    holder.addEventListener('focusin', enter)
    holder.addEventListener('focusout', leave)
    return () => {
      watch.disconnect()
      holder.removeEventListener('focusin', enter)
      holder.removeEventListener('focusout', leave)
    }
  }, [list])
}

/** The last row, where the list has become shorter than it was. */
function shortened(rows: readonly Element[], place: number): Element | undefined {
  const last = rows.at(-1)
  return last && Number(last.getAttribute('aria-setsize')) < place ? last : undefined
}
