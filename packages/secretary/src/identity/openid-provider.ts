import type { JWTVerifyGetKey } from 'jose'
import type { Identity } from './authenticator.ts'

export interface OpenIdConfig {
  readonly issuer: string
  readonly audience: string
  readonly jwksUrl?: string
}

/** As OpenID Connect bounds a subject: ASCII. Nothing that moves a cursor, hides or begins a line becomes a name. */
const SUBJECT = /^[!-~](?:[ -~]{0,253}[!-~])?$/

/** Checks the JWTs of one OpenID provider. */
export class OpenIdProvider {
  readonly #config: OpenIdConfig
  #keys?: Promise<JWTVerifyGetKey>

  constructor(config: OpenIdConfig) {
    this.#config = config
  }

  get issuer(): string {
    return this.#config.issuer
  }

  async identify(token: string): Promise<Identity | undefined> {
    if (token.split('.').length !== 3) return undefined
    const { issuer, audience } = this.#config
    const { jwtVerify, errors } = await import('jose')
    try {
      const { payload } = await jwtVerify(token, await this.#keySet(), {
        issuer,
        audience,
        requiredClaims: ['sub', 'exp'],
        clockTolerance: 5,
      })
      const user = userOf(issuer, payload.sub)
      return user && payload.exp ? { user, role: 'member', expiresAt: payload.exp } : undefined
    } catch (error) {
      // A bad token is an answer; a provider that cannot be reached is not.
      if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout))
        return undefined
      throw error
    }
  }

  #keySet(): Promise<JWTVerifyGetKey> {
    this.#keys ??= this.#findKeys().catch((error: unknown) => {
      this.#keys = undefined
      throw error
    })
    return this.#keys
  }

  async #findKeys(): Promise<JWTVerifyGetKey> {
    const { createRemoteJWKSet } = await import('jose')
    const url = this.#config.jwksUrl ?? (await discoverJwksUrl(this.#config.issuer))
    return createRemoteJWKSet(new URL(url), { timeoutDuration: 5_000 })
  }
}

/** The issuer is part of the name: no subject of a provider becomes the owner of this machine. */
function userOf(issuer: string, subject: unknown): string | undefined {
  return typeof subject === 'string' && SUBJECT.test(subject) ? `${issuer}|${subject}` : undefined
}

async function discoverJwksUrl(issuer: string): Promise<string> {
  const response = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(5_000),
  })
  const document = (await response.json()) as { jwks_uri?: unknown }
  if (typeof document.jwks_uri !== 'string')
    throw new Error('The OpenID provider publishes no keys')
  return document.jwks_uri
}
