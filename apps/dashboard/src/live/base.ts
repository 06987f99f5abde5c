/**
 * The path under which a browser sees the page, with a slash at the end. A proxy may put anything before it and say nothing
 * to the server, so the page finds out by where its own script came from: `assets/` lies directly below.
 */
export const base = new URL('..', import.meta.url).pathname

/** An address of ours as the browser must be given it. */
export function below(path: string): string {
  return base + path.replace(/^\//, '')
}

/** The query of an address; what is empty is left out. */
export function searchOf(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}
