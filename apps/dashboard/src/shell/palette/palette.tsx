import { useEffect, useRef, useState } from 'preact/hooks'
import { go, pathTo } from '../../live/router.ts'
import { FoundLine } from '../../parts/find/found-line.tsx'
import { takeSearchWish } from '../../parts/search-wish.ts'
import { StillReading } from '../../parts/still-reading.tsx'
import { useModal } from '../../parts/use-modal.ts'
import { type Entry, rememberEntry, useEntries } from './entries.ts'

const NARROWING: readonly (readonly [word: string, example: string])[] = [
  ['agent:', 'codex'],
  ['project:', 'a part of its path'],
  ['after:', '7d, yesterday or 2026-01-31'],
  ['file:', 'a part of its path'],
]

/** One search for all, over whatever is on screen. Arrows choose, Enter opens. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState('')
  const { groups, words, isSearching, error, note, reload } = useEntries(typed)
  const entries = groups.flatMap(({ entries }) => entries)
  const [chosen, setChosen] = useState(0)
  useModal(dialog)
  // In one step, so that no key falls between what was kept for the field and what is typed into it.
  useEffect(() => {
    field.current?.focus()
    setTyped(takeSearchWish() ?? '')
  }, [])
  useEffect(() => setChosen(0), [typed])
  useEffect(
    () =>
      list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }),
    [chosen],
  )
  const open = (entry: Entry | undefined) => {
    if (!entry) return
    rememberEntry(entry)
    onClose()
    if (entry.run) entry.run()
    else go(entry.path)
  }
  const press = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (step !== undefined) {
      const last = entries.length - 1
      setChosen(Math.max(0, Math.min(last, chosen + step)))
    } else if (event.key === 'Enter') open(entries[chosen])
    // A search field would only empty itself.
    else if (event.key === 'Escape') onClose()
    else return
    event.preventDefault()
  }
  const narrow = (word: string) => {
    setTyped(typed.includes(word) ? typed : `${typed.trim()} ${word}`.trimStart())
    field.current?.focus()
  }
  const isNothing = typed.trim() !== '' && !isSearching && !error && entries.length === 0
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Search everything"
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
      onKeyDown={(event) => event.key === 'k' && (event.ctrlKey || event.metaKey) && onClose()}
    >
      <input
        ref={field}
        type="search"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={entries[chosen] ? `palette-${chosen}` : undefined}
        aria-label="Search everything"
        placeholder="Search requests, answers, tasks, files, symbols, commands…"
        maxLength={500}
        autocomplete="off"
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={press}
      />
      <p class="palette-narrow">
        {NARROWING.map(([word, example]) => (
          <button
            key={word}
            type="button"
            class="button quiet"
            title={`Such as ${word}${example}`}
            onClick={() => narrow(word)}
          >
            {word}
          </button>
        ))}
      </p>
      <div class="palette-list" id="palette-list" role="listbox" aria-label="Found" ref={list}>
        {groups.map(({ name, entries: own }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset may not be a part of a listbox.
          <div role="group" aria-label={name} key={name}>
            <div class="palette-group" aria-hidden="true">
              {name}
            </div>
            {own.map((entry) => {
              const place = entries.indexOf(entry)
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field above takes the keys.
                <div
                  key={entry.key}
                  id={`palette-${place}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={place === chosen}
                  onClick={() => open(entry)}
                >
                  <FoundLine found={entry.found} words={words} />
                </div>
              )
            })}
          </div>
        ))}
      </div>
      <p class="palette-state" role="status">
        {error?.message}
        {isNothing && `Nothing found for “${typed.trim()}”`}
        {isSearching && entries.length === 0 && 'Searching…'}
      </p>
      <StillReading note={note} reload={reload} />
      {typed.trim() !== '' && (
        <p class="palette-foot">
          <a href={pathTo(['search'], { by: 'all', q: typed.trim() })} onClick={onClose}>
            All results on a page
          </a>
        </p>
      )}
    </dialog>
  )
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 8,
  PageUp: -8,
}
