const PATIENCE_MS = 5_000

/** What was typed after `/` while the search box is still on its way; undefined where nobody waits for one. */
let typed: string | undefined
let lastAt = 0

export function wishForSearch(): void {
  typed = ''
  lastAt = Date.now()
}

/** Whether the key belongs to the words of a search that has no box yet. */
export function keepForSearch({ key }: KeyboardEvent): boolean {
  if (typed === undefined || Date.now() - lastAt > PATIENCE_MS || key === 'Escape') {
    typed = undefined
    return false
  }
  lastAt = Date.now()
  if (key === 'Backspace') typed = typed.slice(0, -1)
  else if ([...key].length === 1) typed += key
  return true
}

/** For the box, once it is there. */
export function takeSearchWish(): string | undefined {
  const words = typed
  typed = undefined
  return words
}
