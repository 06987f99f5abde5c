import { expect } from 'vitest'
import type { openSpaceHouse, SpaceBody } from './space-house.ts'

export type SpaceHouse = Awaited<ReturnType<typeof openSpaceHouse>>

/** One person who looks at a surface; whatever it shows is searched for what they may not read. */
export interface Asks {
  readonly user: string
  /** Where it happened, for a failure. */
  readonly at: string
  readonly house: SpaceHouse
  tool(name: string, args: object): Promise<SpaceBody>
  rest(path: string): Promise<SpaceBody>
  /** Fails where something hidden is shown. */
  safe(what: string, shown: unknown): void
}

/** What was asked for stands in these answers too, and is no answer. */
const ECHOING: Readonly<Record<string, (body: SpaceBody) => unknown>> = {
  context_search: ({ results, error }) => results ?? error,
  context_pack: ({ goal: _goal, ...pack }) => pack,
  copilot_chat_secretary_search_requests: ({ results }) => results,
}

export function asksAs(
  house: SpaceHouse,
  { user, at, hidden }: { user: string; at: string; hidden: readonly string[] },
): Asks {
  const safe = (what: string, shown: unknown) => {
    const text = typeof shown === 'string' ? shown : (JSON.stringify(shown) ?? '')
    expect(
      hidden.filter((one) => text.includes(one)),
      `${at} sees in ${what}: ${text}`,
    ).toEqual([])
  }
  return {
    user,
    at,
    house,
    safe,
    async rest(path) {
      const answer = await house.send(user, 'GET', path)
      safe(path.replace(/q=.*/, ''), answer.body?.groups ?? answer.text)
      return answer.body
    },
    async tool(name, args) {
      const { body, whole } = await house.attempt(user, name, args)
      safe(name, ECHOING[name]?.(body) ?? whole)
      return body
    },
  }
}
