import { isLoopback } from '../loopback.ts'
import type { Config } from './config.ts'

/** Settings that are fine alone and unsafe together. */
export function contradictions(config: Config): string[] {
  const { auth, oidcIssuer, oidcAudience } = config
  const problems: string[] = []
  // Without an audience, a token that the provider made for any other program would open this one.
  if (oidcIssuer && !oidcAudience)
    problems.push('SECRETARY_OIDC_ISSUER: requires SECRETARY_OIDC_AUDIENCE as well')
  const reached = auth === 'off' ? reachedFromOutside(config) : undefined
  if (reached)
    problems.push(
      `SECRETARY_AUTH: may be off only on loopback, and ${reached} lets other machines in`,
    )
  return problems
}

function reachedFromOutside(config: Config): string | undefined {
  const { host, allowedHosts, allowedOrigins, publicUrl } = config
  if (!isLoopback(host)) return 'SECRETARY_HOST'
  if (allowedHosts.length > 0) return 'SECRETARY_ALLOWED_HOSTS'
  if (allowedOrigins.length > 0) return 'SECRETARY_ALLOWED_ORIGINS'
  return publicUrl && !isLoopback(new URL(publicUrl).hostname) ? 'SECRETARY_PUBLIC_URL' : undefined
}
