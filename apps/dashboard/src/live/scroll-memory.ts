const SETTLE_MS = 120
const PATIENCE_MS = 5_000
/** These say by themselves what comes into view. */
const OWN_PLACE = ['at', 'line', 'conversation']

let restoring: number | undefined

/**
 * Lists are loaded after their place is, so the browser itself would go back to the top of an empty page. Where each place was
 * scrolled to is kept with it, and found again once it is tall enough.
 */
export function rememberScroll(): void {
  history.scrollRestoration = 'manual'
  let timer: ReturnType<typeof setTimeout> | undefined
  window.addEventListener(
    'scroll',
    () => {
      clearTimeout(timer)
      timer = setTimeout(keepScroll, SETTLE_MS)
    },
    { passive: true },
  )
  for (const sign of ['wheel', 'touchstart', 'keydown', 'pointerdown'])
    window.addEventListener(sign, giveUp, { passive: true })
  restoreScroll()
}

export function keepScroll(): void {
  if (restoring === undefined)
    history.replaceState({ ...history.state, scrolled: Math.round(window.scrollY) }, '')
}

export function restoreScroll(): void {
  giveUp()
  const wanted = Number(history.state?.scrolled) || 0
  const query = new URLSearchParams(location.search)
  if (location.hash !== '' || OWN_PLACE.some((name) => query.has(name))) return
  const until = performance.now() + PATIENCE_MS
  const look = () => {
    const reached = document.documentElement.scrollHeight - window.innerHeight >= wanted
    if (reached) window.scrollTo(0, wanted)
    restoring = reached || performance.now() > until ? undefined : requestAnimationFrame(look)
  }
  restoring = requestAnimationFrame(look)
}

/** Whoever scrolls by themselves is not taken elsewhere. */
function giveUp(): void {
  if (restoring !== undefined) cancelAnimationFrame(restoring)
  restoring = undefined
}
