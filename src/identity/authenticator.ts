import type { Role } from '../core/role.ts'
import type { AccessTokens } from './access-tokens.ts'
import type { OpenIdProvider } from './openid-provider.ts'
import type { OwnerToken } from './owner-token.ts'

export interface Identity {
  readonly user: string
  readonly role: Role
  /** Seconds since 1970; undefined where it never ends by itself. */
  readonly expiresAt?: number
}

interface Parts {
  readonly tokens: AccessTokens
  readonly owner?: { readonly token: OwnerToken; readonly user: string }
  readonly provider?: OpenIdProvider
}

/** Says who a token stands for: the owner's, one of our own tokens, or a JWT of the configured OpenID provider. */
export class Authenticator {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  get issuer(): string | undefined {
    return this.#parts.provider?.issuer
  }

  async identify(token: string): Promise<Identity | undefined> {
    const { owner, provider } = this.#parts
    if (owner?.token.is(token)) return { user: owner.user, role: 'operator' }
    return (await this.#byAccessToken(token)) ?? provider?.identify(token)
  }

  async identifyCookie(cookie: string): Promise<Identity | undefined> {
    const { owner } = this.#parts
    const end = owner?.token.cookieEnd(cookie, Date.now())
    if (owner && end !== undefined) return { user: owner.user, role: 'operator', expiresAt: end }
    return this.#byAccessToken(cookie)
  }

  /** What a browser keeps instead of the token that it was opened with. */
  async cookieFor(token: string): Promise<{ value: string; expiresAt: Date } | undefined> {
    const { owner } = this.#parts
    const value = owner?.token.is(token) ? owner.token.cookie(Date.now()) : token
    const end = (await this.identifyCookie(value))?.expiresAt
    return end === undefined ? undefined : { value, expiresAt: new Date(end * 1000) }
  }

  async #byAccessToken(token: string): Promise<Identity | undefined> {
    const record = await this.#parts.tokens.find(token)
    if (!record) return undefined
    const { user, role, expiresAt } = record
    return { user, role, expiresAt: Math.floor(Date.parse(expiresAt) / 1000) }
  }
}
