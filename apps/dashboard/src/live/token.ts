import { base } from './base.ts'
import { createStore } from './store.ts'

/** Several servers may share a host, each below a path of its own, and none may get the token of another. */
const KEY = base === '/' ? 'secretary.token' : `secretary.token ${base}`

/** Whether the server wants to know who is asking. */
export const signInNeeded = createStore(false)

/** A frame in an editor gets no cookie: the editor hands it the token in its address. It is kept nowhere but here. */
let handed = takeHanded()

export function bearerToken(): string | null {
  return handed ?? sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY)
}

export function keepToken(token: string, onThisDevice: boolean): void {
  forgetToken()
  const place = onThisDevice ? localStorage : sessionStorage
  place.setItem(KEY, token)
}

export function forgetToken(): void {
  handed = undefined
  sessionStorage.removeItem(KEY)
  localStorage.removeItem(KEY)
}

/** Another tab signed in or out for this device; a tab with a token of its own does not care. */
export function onTokenElsewhere(listener: (isThere: boolean) => void): () => void {
  const hear = ({ key, newValue }: StorageEvent) => {
    if (key !== KEY || handed !== undefined) return
    if (sessionStorage.getItem(KEY) === null) listener(newValue !== null)
  }
  window.addEventListener('storage', hear)
  return () => window.removeEventListener('storage', hear)
}

/** Taken in a frame alone, since only the editor may frame the page: a link must not sign anybody in. */
function takeHanded(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  if (window.parent === window || token === null) return undefined
  history.replaceState(null, '', location.pathname + location.search)
  return token
}
