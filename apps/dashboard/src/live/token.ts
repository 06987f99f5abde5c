import { base } from './base.ts'
import { createStore } from './store.ts'

/** Several servers may share a host, each below a path of its own, and none may get the token of another. */
const KEY = base === '/' ? 'secretary.token' : `secretary.token ${base}`

/** Whether the server wants to know who is asking. */
export const signInNeeded = createStore(false)

export function bearerToken(): string | null {
  return sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY)
}

export function keepToken(token: string, onThisDevice: boolean): void {
  forgetToken()
  const place = onThisDevice ? localStorage : sessionStorage
  place.setItem(KEY, token)
}

export function forgetToken(): void {
  sessionStorage.removeItem(KEY)
  localStorage.removeItem(KEY)
}

/** Another tab signed in or out for this device; a tab with a token of its own does not care. */
export function onTokenElsewhere(listener: (isThere: boolean) => void): () => void {
  const hear = ({ key, newValue }: StorageEvent) => {
    if (key === KEY && sessionStorage.getItem(KEY) === null) listener(newValue !== null)
  }
  window.addEventListener('storage', hear)
  return () => window.removeEventListener('storage', hear)
}
