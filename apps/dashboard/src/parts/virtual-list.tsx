import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useKeptFocus } from './use-kept-focus.ts'

interface VirtualListProps {
  readonly label: string
  readonly total: number
  readonly rowHeight: number
  readonly need: (first: number, last: number) => void
  readonly row: (index: number) => ComponentChildren
}

const SPARE_ROWS = 8

/**
 * Draws the rows that are on screen out of any number. It scrolls with the page; rows have one height, given here
 * and to the style sheet as `--row-height`.
 */
export function VirtualList({ label, total, rowHeight, need, row }: VirtualListProps) {
  const list = useRef<HTMLUListElement>(null)
  const [[first, last], setRange] = useState<readonly [number, number]>([0, 30])

  useEffect(() => {
    let frame = 0
    const measure = () => {
      frame = 0
      const top = list.current?.getBoundingClientRect().top ?? 0
      const from = Math.max(0, Math.floor(-top / rowHeight) - SPARE_ROWS)
      const to = Math.min(total - 1, Math.ceil((window.innerHeight - top) / rowHeight) + SPARE_ROWS)
      setRange((before) => (before[0] === from && before[1] === to ? before : [from, to]))
    }
    const later = () => {
      frame ||= requestAnimationFrame(measure)
    }
    measure()
    window.addEventListener('scroll', later, { passive: true })
    window.addEventListener('resize', later, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('scroll', later)
      window.removeEventListener('resize', later)
    }
  }, [rowHeight, total])

  useKeptFocus(list)

  // A list that has grown needs other rows, even where the same places are on screen.
  useLayoutEffect(() => need(first, last), [first, last, total, need])

  const rows: ComponentChildren[] = []
  for (let index = first; index <= Math.min(last, total - 1); index++) {
    rows.push(
      <li
        class="virtual-row"
        key={index}
        aria-setsize={total}
        aria-posinset={index + 1}
        style={{ transform: `translateY(${index * rowHeight}px)` }}
      >
        {row(index)}
      </li>,
    )
  }
  return (
    <ul
      ref={list}
      class="virtual-list"
      aria-label={label}
      style={{ height: `${total * rowHeight}px`, '--row-height': `${rowHeight}px` }}
      onKeyDown={(event) => moveBetweenRows(event, rowHeight)}
    >
      {rows}
    </ul>
  )
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  PageDown: 10,
  PageUp: -10,
}

/** Arrow keys and j/k go to the same control of the next row; a row out of sight is scrolled to first. */
function moveBetweenRows(event: KeyboardEvent, rowHeight: number): void {
  const step = STEPS[event.key]
  const focused = event.target as HTMLElement
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || isTextField(focused))
    return
  const list = event.currentTarget as HTMLElement
  const here = focused.closest<HTMLElement>('.virtual-row')
  if (!here) return
  event.preventDefault()
  const total = Number(here.getAttribute('aria-setsize'))
  const wanted = Math.min(total, Math.max(1, Number(here.getAttribute('aria-posinset')) + step))
  const control = focused.dataset.control
  const focusRow = () => {
    const target = list.querySelector<HTMLElement>(`.virtual-row[aria-posinset="${wanted}"]`)
    const item = target?.querySelector<HTMLElement>(
      control ? `[data-control="${control}"]` : 'a, button, input',
    )
    item?.focus({ preventScroll: true })
    item?.scrollIntoView({ block: 'nearest' })
    return item
  }
  if (focusRow()) return
  window.scrollBy(0, step * rowHeight)
  requestAnimationFrame(() => requestAnimationFrame(focusRow))
}

export function isTextField(element: EventTarget | null): boolean {
  if (!(element instanceof HTMLElement)) return false
  if (element instanceof HTMLInputElement)
    return !['checkbox', 'radio', 'button', 'submit'].includes(element.type)
  return (
    element.isContentEditable ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement
  )
}
