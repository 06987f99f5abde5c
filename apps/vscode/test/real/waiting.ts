/** Begins the message where VS Code itself did not start: nothing is known about the extension then. */
export const NOT_UP = 'VS Code is not up: '
/** Longer than anything takes on a busy machine: a wait ends by what it waits for, and this one only where that never comes. */
export const PATIENCE_MS = 90_000

export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string,
  withinMs = PATIENCE_MS,
): Promise<void> {
  for (const end = Date.now() + withinMs; Date.now() < end; ) {
    if (await Promise.resolve(isSo()).catch(() => false)) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`${what} did not come within ${withinMs / 1000} s`)
}
