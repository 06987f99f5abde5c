import { isGenerated } from './generated.ts'
import type { Span } from './span.ts'

const RUN_END = /[\s"'`<>\\|]/
const MAX_URL = 2_000
const HOST = /(?:\[[\da-f:.]{2,45}\]|[\w.-]{1,100})(?::\d{1,5})?(?=[/?#,;)\]}\s"'`<>\\|]|$)/y
const WEB = /(?:^|[^a-z])(?:https?|wss?)$/i

/** The passwords of URLs, also with `/` and `@` in them, and tokens that stand in a user's place. */
export function findUrlSecrets(text: string): Span[] {
  const found: Span[] = []
  for (let at = text.indexOf('://'); at >= 0; ) {
    const next = text.indexOf('://', at + 3)
    // No further than to the next address, so that every sign is read once.
    const end = endOfUrl(text, at + 3, next < 0 ? text.length : next)
    const secret = credentialsIn(text, at, at + 3, end)
    if (secret) found.push(secret)
    at = next
  }
  return found
}

function endOfUrl(text: string, from: number, limit: number): number {
  const last = Math.min(limit, from + MAX_URL)
  let end = from
  while (end < last && !RUN_END.test(text[end] ?? '')) end++
  return end
}

function credentialsIn(text: string, scheme: number, from: number, end: number): Span | undefined {
  const url = text.slice(from, end)
  if (url.startsWith('[redacted')) return undefined
  const ats = placesOf(url, '@').filter((at) => isHostAt(text, from + at + 1))
  if (ats.length === 0) return undefined
  const pathAt = url.search(/[/?#]/)
  const authority = pathAt < 0 ? url : url.slice(0, pathAt)
  const colon = authority.indexOf(':')
  const last = lastAt(url, ats, authority, WEB.test(text.slice(Math.max(0, scheme - 12), scheme)))
  if (last === undefined) return undefined
  if (colon < 0 || colon > last) return tokenSpan(url.slice(0, last), from)
  const password = url.slice(colon + 1, last)
  const user = url.slice(0, colon)
  if (/^[$%{<[*]|^\.{3}|^(?:x-oauth-basic|x|)$/.test(password)) return tokenSpan(user, from)
  if (password.length < 3 || /^(?:password|passwd|pass|pwd|secret|token)$/i.test(password))
    return undefined
  return { start: from + colon + 1, end: from + last, kind: 'password' }
}

/** Where the host begins: the last `@` of the authority, or a later one if the password goes on behind a slash. */
function lastAt(
  url: string,
  ats: readonly number[],
  authority: string,
  isWeb: boolean,
): number | undefined {
  const strict = ats.filter((at) => at < authority.length).at(-1)
  const loose = ats.at(-1)
  if (strict === undefined) {
    // `host:3000/@scope` has a port; `user:p/ss@host` has none.
    const afterColon = /:([^:]*)$/.exec(authority.slice(-200))?.[1]
    return afterColon === undefined || /^\d{0,5}$/.test(afterColon) ? undefined : loose
  }
  const host = authority.slice(strict + 1)
  const isHost = /\.|:\d|^localhost$/.test(host)
  return isWeb && isHost ? strict : isHost && !url.slice(0, strict).includes(':') ? strict : loose
}

function isHostAt(text: string, at: number): boolean {
  HOST.lastIndex = at
  return HOST.test(text)
}

function tokenSpan(user: string, from: number): Span | undefined {
  return isGenerated(user, 16) ? { start: from, end: from + user.length, kind: 'token' } : undefined
}

function placesOf(text: string, sign: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) places.push(at)
  return places
}
