import type { IncomingMessage } from 'node:http'
import type { Role } from '@secretary-mcp/core/tool.ts'
import type { Context, MiddlewareHandler, Next } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Authenticator, Identity } from '../../identity/authenticator.ts'
import type { BrowserSessions } from '../../identity/browser-sessions.ts'
import { refusal } from './bounded-body.ts'
import type { ConnectionGuard } from './connection-guard.ts'

export interface HttpVariables {
  readonly Bindings: {
    /** Undefined if the app is called without a server. */
    readonly incoming?: IncomingMessage
  }
  readonly Variables: {
    user: string
    role: Role
    identity?: Identity
    token?: string
    /** Whether what identified the caller still does. */
    stillValid?: () => Promise<boolean>
  }
}

interface AuthenticationConfig {
  readonly authenticator: Authenticator
  readonly sessions: BrowserSessions
  readonly connections?: ConnectionGuard
  /** Whether a request without a token is refused; otherwise it is the local user's. */
  readonly required: boolean
  readonly localUser: string
  readonly metadataUrl: (requestUrl: string) => string
}

/** Sets `user` and `role` for everything behind it. A token that is sent is always checked. */
export function authentication({
  authenticator,
  sessions,
  connections,
  required,
  localUser,
  metadataUrl,
}: AuthenticationConfig): MiddlewareHandler<HttpVariables> {
  const challenge = (context: Context, error: string, message: string) => {
    context.header(
      'WWW-Authenticate',
      `Bearer error="${error}", resource_metadata="${metadataUrl(context.req.url)}"`,
    )
    return refusal(context, 401, error, message)
  }
  const admit = (
    context: Context<HttpVariables>,
    next: Next,
    identity: Identity,
    again: () => Promise<Identity | undefined>,
  ) => {
    connections?.admit(context.env?.incoming?.socket, identity)
    context.set('user', identity.user)
    context.set('role', identity.role)
    context.set('identity', identity)
    context.set('stillValid', async () => (await again())?.user === identity.user)
    return next()
  }
  return async (context, next) => {
    const header = context.req.header('authorization')
    const cookie = header === undefined ? sessionCookie(context) : undefined
    if (header !== undefined) {
      const token = /^Bearer ([\w.~+/=-]+)$/i.exec(header)?.[1]
      const identity = token === undefined ? undefined : await authenticator.identify(token)
      if (!identity || token === undefined)
        return challenge(context, 'invalid_token', 'The token is unknown, expired or revoked')
      context.set('token', token)
      return admit(context, next, identity, () => authenticator.identify(token))
    }
    // Programs send the header; a cookie is the page's alone.
    if (cookie !== undefined && context.req.path !== '/mcp') {
      const identity = await sessions.identify(cookie)
      if (identity && !isOwnOrigin(context))
        return refusal(
          context,
          403,
          'forbidden',
          'This call is allowed only from Secretary’s own page',
        )
      if (identity) return admit(context, next, identity, () => sessions.identify(cookie))
    }
    if (required)
      return challenge(
        context,
        'unauthorized',
        'A token is required. `secretary open` signs your browser in; for another program, `secretary token create --user NAME` makes one',
      )
    context.set('user', localUser)
    context.set('role', 'operator')
    return next()
  }
}

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
