import type { Context, MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { Authenticator } from '../../identity/authenticator.ts'

/** Browsers share the cookies of a host between its ports: several servers keep theirs apart by name. */
export function sessionCookieName(context: Context): string {
  const port = /:(\d+)$/.exec(context.req.header('host') ?? '')?.[1]
  return port ? `secretary-${port}` : 'secretary'
}

export function sessionCookie(context: Context): string | undefined {
  return getCookie(context, sessionCookieName(context))
}

/**
 * A page opened with `?token=…` gets a cookie instead and goes to the same address without it, so that the token
 * stays in no history, no bookmark and no picture of the screen.
 */
export function tokenExchange(authenticator: Authenticator, isSecure: boolean): MiddlewareHandler {
  return async (context, next) => {
    const url = new URL(context.req.url)
    const token = url.searchParams.get('token')
    if (context.req.method !== 'GET' || token === null || !isPage(url.pathname)) return next()
    const cookie = await authenticator.cookieFor(token)
    if (cookie)
      setCookie(context, sessionCookieName(context), cookie.value, {
        httpOnly: true,
        sameSite: 'Strict',
        secure: isSecure,
        path: '/',
        expires: cookie.expiresAt,
      })
    url.searchParams.delete('token')
    context.header('cache-control', 'no-store')
    context.header('referrer-policy', 'no-referrer')
    // Relative, since a proxy may serve us below a path of its own.
    return context.redirect(`./${url.pathname.split('/').pop() ?? ''}${url.search}`, 303)
  }
}

function isPage(path: string): boolean {
  return !/^\/(api|mcp|health|metrics|assets|\.well-known)(\/|$)/.test(path)
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
