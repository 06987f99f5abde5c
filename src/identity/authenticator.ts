import type { JWTVerifyGetKey } from 'jose'
import type { AccessTokens } from './access-tokens.ts'

export interface Identity {
  readonly user: string
  /** Seconds since 1970. */
  readonly expiresAt: number
}

export interface OidcConfig {
  readonly issuer: string
  readonly audience?: string
  readonly jwksUrl?: string
}

/** Says who a bearer token stands for: one of our own tokens, or a JWT of the configured OpenID provider. */
export class Authenticator {
  readonly #tokens: AccessTokens
  readonly #oidc?: OidcConfig
  #keys?: Promise<JWTVerifyGetKey>

  constructor(tokens: AccessTokens, oidc?: OidcConfig) {
    this.#tokens = tokens
    this.#oidc = oidc
  }

  get issuer(): string | undefined {
    return this.#oidc?.issuer
  }

  async identify(token: string): Promise<Identity | undefined> {
    const record = await this.#tokens.find(token)
    if (record)
      return { user: record.user, expiresAt: Math.floor(Date.parse(record.expiresAt) / 1000) }
    return this.#oidc && token.split('.').length === 3
      ? this.#identifyJwt(token, this.#oidc)
      : undefined
  }

  async #identifyJwt(
    token: string,
    { issuer, audience }: OidcConfig,
  ): Promise<Identity | undefined> {
    const { jwtVerify, errors } = await import('jose')
    try {
      const { payload } = await jwtVerify(token, await this.#keySet(), {
        issuer,
        audience,
        requiredClaims: ['sub', 'exp'],
        clockTolerance: 5,
      })
      return payload.sub && payload.exp ? { user: payload.sub, expiresAt: payload.exp } : undefined
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
    return createRemoteJWKSet(
      new URL(this.#oidc?.jwksUrl ?? (await discoverJwksUrl(this.#oidc?.issuer ?? ''))),
      {
        timeoutDuration: 5_000,
      },
    )
  }
}

async function discoverJwksUrl(issuer: string): Promise<string> {
  const response = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(5_000),
  })
  const document = (await response.json()) as { jwks_uri?: unknown }
  if (typeof document.jwks_uri !== 'string') throw new Error('The OpenID provider names no keys')
  return document.jwks_uri
}
