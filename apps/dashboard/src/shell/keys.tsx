import { useLayoutEffect, useState } from 'preact/hooks'
import { go, pathTo } from '../live/router.ts'
import { Modal } from '../parts/modal.tsx'
import { keepForSearch, wishForSearch } from '../parts/search-wish.ts'
import { undoLatest } from '../parts/toasts.tsx'
import { isTextField } from '../parts/virtual-list.tsx'
import { pages } from './pages.ts'

const OFF = 'secretary.keys-off'
const LETTER_AFTER_MS = 1_500

/** Keys that work anywhere but in a field. They can be turned off, as single letters trouble speech input. */
export function useKeys(showHelp: () => void, showSearch: () => void): void {
  // Before anything is painted: whoever sees the page can use its keys.
  useLayoutEffect(() => {
    let afterG = Number.NEGATIVE_INFINITY
    const press = (event: KeyboardEvent) => {
      if (isSearchKey(event)) return openSearch(event, showSearch)
      if (
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        isTextField(event.target) ||
        localStorage.getItem(OFF)
      )
        return
      if (dialogIsOpen()) return
      if (keepForSearch(event)) return event.preventDefault()
      const page = pages.find(({ key }) => key !== '' && key === event.key)
      if (page && event.timeStamp - afterG < LETTER_AFTER_MS) {
        afterG = Number.NEGATIVE_INFINITY
        event.preventDefault()
        return go(pathTo(page.path ? [page.path] : []))
      }
      afterG = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
      if (event.key === '?') showHelp()
      else if (event.key === '/') openSearch(event, showSearch)
      else if (event.key === 'u') undoLatest()
      else if (event.key === 'n') focusNew(event)
      else if (event.key === 'j' || event.key === 'k') moveInList(event)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [showHelp, showSearch])
}

/** Works in a field too, as long as no dialog stands before the page. */
function isSearchKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key === 'k' && (ctrlKey || metaKey) && !altKey && !shiftKey && !dialogIsOpen()
}

function dialogIsOpen(): boolean {
  return document.querySelector('dialog[open]') !== null
}

/** What is typed before the box is there is kept for it. */
function openSearch(event: KeyboardEvent, show: () => void): void {
  event.preventDefault()
  wishForSearch()
  show()
}

const ITEMS =
  '.virtual-row, .requests > li, .hits > li, .found-list > li, .thread > li, .calls > li, .documents > li'

/** To the next or the one before; to the first where no list has the focus. A list that scrolls by rows moves by itself. */
function moveInList(event: KeyboardEvent): void {
  if (event.defaultPrevented) return
  const items = [...document.querySelectorAll<HTMLElement>(ITEMS)]
  const here = items.findIndex((item) => item.contains(document.activeElement))
  const next = items[here === -1 ? 0 : here + (event.key === 'j' ? 1 : -1)]
  const control = next?.querySelector<HTMLElement>(
    '[data-control="title"], a, button, summary, input',
  )
  if (!control) return
  event.preventDefault()
  control.focus({ preventScroll: true })
  control.scrollIntoView({ block: 'nearest' })
}

function focusNew(event: KeyboardEvent): void {
  event.preventDefault()
  const field = document.querySelector<HTMLInputElement>('#new-task')
  if (field) field.focus()
  else go(pathTo(['tasks'], { new: 1 }))
}

const HELP: readonly (readonly [string, string])[] = [
  ['/ or Ctrl K', 'Search everything'],
  ['n', 'New task'],
  ['u', 'Undo'],
  ['↑ ↓ or j k', 'Move in a list'],
  ['Space', 'Complete or reopen a task'],
  ['Enter or e', 'Edit a task'],
  ['Delete', 'Delete a task'],
  ['← →', 'Move a card on the board'],
  ['?', 'This list'],
]

export function KeysHelp({ onClose }: { readonly onClose: () => void }) {
  const [on, setOn] = useState(localStorage.getItem(OFF) === null)
  const turn = (next: boolean) => {
    setOn(next)
    if (next) localStorage.removeItem(OFF)
    else localStorage.setItem(OFF, '1')
  }
  return (
    <Modal title="Shortcuts" onClose={onClose}>
      <dl class="keys">
        {pages
          .filter(({ key }) => key !== '')
          .map(({ key, name }) => (
            <div key={key}>
              <dt>
                <kbd>g</kbd> <kbd>{key}</kbd>
              </dt>
              <dd>{name}</dd>
            </div>
          ))}
        {HELP.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={on}
          onChange={(event) => turn(event.currentTarget.checked)}
        />{' '}
        Single-letter keys are on
      </label>
    </Modal>
  )
}
