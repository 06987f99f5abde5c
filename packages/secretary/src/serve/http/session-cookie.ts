import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'

/** Browsers share the cookies of a host between its ports: several servers keep theirs apart by name. */
function nameOfCookie(context: Context): string {
  const port = /:(\d+)$/.exec(context.req.header('host') ?? '')?.[1]
  return port ? `secretary-${port}` : 'secretary'
}

export function sessionCookie(context: Context): string | undefined {
  return getCookie(context, nameOfCookie(context))
}

/** For this host alone. Strict is enough for links from outside: the page's files need no cookie, and its calls come from itself. */
export function setSessionCookie(
  context: Context,
  { session, expiresAt }: { readonly session: string; readonly expiresAt: Date },
  isSecure: boolean,
): void {
  setCookie(context, nameOfCookie(context), session, {
    httpOnly: true,
    sameSite: 'Strict',
    secure: isSecure,
    path: '/',
    expires: expiresAt,
  })
}

export function clearSessionCookie(context: Context): void {
  deleteCookie(context, nameOfCookie(context), { path: '/' })
}

/** Whether a browser says that a page of this very server asks: another port of this host is another site's. */
export function isOwnOrigin(context: Context): boolean {
  const site = context.req.header('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  const isSafe = ['GET', 'HEAD', 'OPTIONS'].includes(context.req.method)
  const origin = context.req.header('origin')
  if (origin === undefined) return isSafe
  return URL.canParse(origin) && new URL(origin).host === context.req.header('host')
}
