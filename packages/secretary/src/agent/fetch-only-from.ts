const SENT_HEADERS = ['authorization', 'content-type', 'accept', 'user-agent']

/** The key goes to the host that it was given for: nowhere else, and not where that host sends us on to. */
export function fetchOnlyFrom(origin: string): typeof fetch {
  return async (input, init) => {
    const { href, origin: target } = new URL(input instanceof Request ? input.url : input)
    if (target !== origin) throw new TypeError('The model may be called only at its own address')
    const all = new Headers(init?.headers)
    const headers = SENT_HEADERS.flatMap((name) => {
      const value = all.get(name)
      return value === null ? [] : [[name, value] as [string, string]]
    })
    return fetch(href, { ...init, headers, redirect: 'error' })
  }
}
