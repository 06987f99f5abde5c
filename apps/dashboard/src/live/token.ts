import { createStore } from './store.ts'

const KEY = 'secretary.token'

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
