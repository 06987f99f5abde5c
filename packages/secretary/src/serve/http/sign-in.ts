import { createHash } from 'node:crypto'
import type { Context, Hono } from 'hono'
import type { BrowserSessions } from '../../identity/browser-sessions.ts'
import {
  type HttpVariables,
  isOwnOrigin,
  sessionCookie,
  setSessionCookie,
} from './authentication.ts'
import { boundedBody, refusal } from './bounded-body.ts'

const MAX_FORM = 1024 * 1024
const SIGN_IN = '/sign-in'
const RESERVED = /^\/(api|mcp|health|metrics|assets|\.well-known)(\/|$)/
const STYLE =
  ':root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:28rem;margin:15vh auto;padding:0 1rem;overflow-wrap:anywhere}button{font:inherit;padding:.4rem 1rem}'
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`

/**
 * Signs a browser in with a link. Only a code of the owner does it without asking, and only if nobody else is signed in there:
 * nobody but the owner can have made such a link. With every other code or token the person confirms whom they sign in as.
 */
export function mountSignIn(
  http: Hono<HttpVariables>,
  sessions: BrowserSessions,
  isSecure: boolean,
): void {
  http.use(async (context, next) => {
    const url = new URL(context.req.url)
    const [code, token] = ['code', 'token'].map((name) => url.searchParams.get(name))
    const isLink = code !== null || token !== null || url.pathname === SIGN_IN
    if (context.req.method !== 'GET' || RESERVED.test(url.pathname) || !isLink) return next()
    context.header('cache-control', 'no-store')
    context.header('referrer-policy', 'no-referrer')
    const isForm = url.pathname === SIGN_IN
    const target = targetOf(isForm ? url.searchParams.get('to') : url.pathname + url.search)
    const leaveFor = (path: string) => context.redirect(relativeTo(url.pathname, path), 303)
    if (!code) {
      const made = token ? await sessions.createCode(token) : undefined
      return leaveFor(made ? `${SIGN_IN}?${formQuery(made.code, target)}` : target)
    }
    const own = sessionCookie(context)
    const found = await sessions.readCode(code)
    if (found.state !== 'valid') {
      if (own && (await sessions.cameFrom(own, code))) return leaveFor(target)
      if (found.state === 'used') await sessions.redeem(code)
      return explain(context, found.state)
    }
    const { user, isOwner } = found.identity
    const present = own === undefined ? undefined : await sessions.identify(own)
    const isAnother = present !== undefined && present.user !== user
    if (isForm) return askWhether(context, { code, target, user, present: present?.user })
    if (!isOwner || isAnother || !isOpened(context))
      return leaveFor(`${SIGN_IN}?${formQuery(code, target)}`)
    const made = await sessions.redeem(code)
    if (!made) return explain(context, 'used')
    if (own) await sessions.end(own)
    setSessionCookie(context, made, isSecure)
    return leaveFor(target)
  })

  http.post(SIGN_IN, boundedBody(MAX_FORM), async (context) => {
    context.header('cache-control', 'no-store')
    if (context.req.header('origin') === undefined || !isOwnOrigin(context))
      return refusal(context, 403, 'forbidden', 'Sign in from Secretary’s own page')
    const form = new URLSearchParams(await context.req.text())
    const code = form.get('code') ?? ''
    const { state } = await sessions.readCode(code)
    const made = await sessions.redeem(code)
    if (!made) return explain(context, state === 'valid' ? 'used' : state)
    const before = sessionCookie(context)
    if (before) await sessions.end(before)
    setSessionCookie(context, made, isSecure)
    return context.redirect(relativeTo(SIGN_IN, targetOf(form.get('to'))), 303)
  })
}

/** Whether a person opened the address, rather than a browser that loads ahead or a page that embeds it. */
function isOpened(context: Context): boolean {
  const { req } = context
  const ahead = `${req.header('sec-purpose') ?? ''}${req.header('purpose') ?? ''}`
  const dest = req.header('sec-fetch-dest')
  return !/prefetch|preview|prerender/i.test(ahead) && (dest === undefined || dest === 'document')
}

/** An address of this server that shows a page, without what signs in. Anything else leads to the first page. */
function targetOf(given: string | null): string {
  if (!given?.startsWith('/') || !URL.canParse(given, 'http://here')) return '/'
  const url = new URL(given, 'http://here')
  url.searchParams.delete('token')
  url.searchParams.delete('code')
  const isPage = url.host === 'here' && !RESERVED.test(url.pathname) && url.pathname !== SIGN_IN
  return isPage ? `${url.pathname}${url.search}` : '/'
}

/** Relative, since a proxy may serve us below a path of its own. */
function relativeTo(from: string, to: string): string {
  return `${'../'.repeat(from.split('/').length - 2) || './'}${to.slice(1)}`
}

function formQuery(code: string, target: string): string {
  return new URLSearchParams({ code, to: target }).toString()
}

function askWhether(
  context: Context,
  asked: {
    readonly code: string
    readonly target: string
    readonly user: string
    readonly present?: string
  },
): Response {
  const { code, target, user, present } = asked
  const now =
    present === undefined
      ? ''
      : `<p>You are signed in as ${escapeHtml(present)} in this browser. Signing in as ${escapeHtml(user)} ends that.</p>`
  return show(
    context,
    200,
    `<h1>Sign in as ${escapeHtml(user)}?</h1>
    ${now}
    <p>Continue only if you opened this link yourself. What you do here is then done and stored as ${escapeHtml(user)}.</p>
    <form method="post" action="./sign-in">
      <input type="hidden" name="code" value="${escapeHtml(code)}">
      <input type="hidden" name="to" value="${escapeHtml(target)}">
      <button type="submit">Sign in as ${escapeHtml(user)}</button>
    </form>
    <p><a href="./">Cancel</a></p>`,
  )
}

function explain(context: Context, state: 'used' | 'unknown'): Response {
  const why =
    state === 'used'
      ? 'This link has already been used. In case somebody else used it, the session that it started has ended.'
      : 'This link has expired or is not valid.'
  return show(
    context,
    410,
    `<h1>Not signed in</h1><p>${why}</p><p>Run <code>secretary open</code> to get a new one, or <a href="./">enter a token</a>.</p>`,
  )
}

function show(context: Context, status: 200 | 410, body: string): Response {
  // With `no-referrer` the browser would send the form without its origin.
  context.header('referrer-policy', 'same-origin')
  context.header('content-security-policy', POLICY)
  context.header('x-content-type-options', 'nosniff')
  context.header('cross-origin-opener-policy', 'same-origin')
  return context.html(
    `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Secretary</title><style>${STYLE}</style></head>
  <body>
    ${body}
  </body>
</html>
`,
    status,
  )
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char)
}
