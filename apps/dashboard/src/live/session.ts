import { withoutHome } from '../parts/without-home.ts'
import { call } from './api.ts'
import type { AnswerOf } from './api-types.ts'
import { below } from './base.ts'
import { personLeaves } from './person.ts'
import { go, pathTo } from './router.ts'
import { createStore, useStore } from './store.ts'
import { bearerToken, forgetToken, signInNeeded } from './token.ts'

export const session = createStore<AnswerOf<'get /api/v1/session'> | undefined>(undefined)

export async function loadSession(): Promise<void> {
  const before = session.get()
  const next = await call('get /api/v1/session')
  if (before && before.user !== next.user) {
    personLeaves(false)
    go(pathTo([]), { replace: true })
  }
  session.set(next)
  signInNeeded.set(false)
}

export function signOut(): void {
  personLeaves(true)
  // A session of this browser ends on the server; a token is only forgotten here.
  if (session.get()?.isBrowserSession && bearerToken() === null)
    void fetch(below('/api/v1/session'), { method: 'DELETE' }).catch(() => {})
  forgetToken()
  session.set(undefined)
  go(pathTo([]), { replace: true })
  signInNeeded.set(true)
}

/** Whether a family of tools is on; a section without one shows how to turn it on. */
export function useFamily(family: string): boolean {
  return useStore(session)?.tools.some((tool) => tool.family === family) ?? false
}

/** A path, or a sentence with paths, as the person would write it. */
export function shownPath(text: string): string {
  return withoutHome(text, session.get()?.home)
}
