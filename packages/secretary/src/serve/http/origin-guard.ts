import type { MiddlewareHandler } from 'hono'
import { hostNameOf, isLoopback } from '@secretary-mcp/core/loopback.ts'
import { refusal } from './refusal.ts'

interface GuardConfig {
  readonly bindHost: string
  readonly allowedHosts: readonly string[]
  readonly allowedOrigins: readonly string[]
}

/** Keeps a web page from reaching a server on this machine through the browser of the person who looks at it. */
export function originGuard({
  bindHost,
  allowedHosts,
  allowedOrigins,
}: GuardConfig): MiddlewareHandler {
  const anyHost = !isLoopback(bindHost) && allowedHosts.length === 0
  const hostAllowed = (name: string) =>
    anyHost || isLoopback(name) || name === bindHost || allowedHosts.includes(name)
  return async (context, next) => {
    const hostHeader = context.req.header('host') ?? ''
    const host = hostNameOf(hostHeader)
    if (!host || !hostAllowed(host))
      return refusal(
        context,
        403,
        'forbidden',
        'Host not allowed; add it to SECRETARY_ALLOWED_HOSTS',
      )
    const origin = context.req.header('origin')
    if (origin !== undefined && !originAllowed(origin, hostHeader, allowedOrigins)) {
      return refusal(
        context,
        403,
        'forbidden',
        'Origin not allowed; add it to SECRETARY_ALLOWED_ORIGINS',
      )
    }
    return next()
  }
}

function originAllowed(origin: string, hostHeader: string, allowed: readonly string[]): boolean {
  if (allowed.includes(origin)) return true
  try {
    return new URL(origin).host === hostHeader
  } catch {
    return false
  }
}
