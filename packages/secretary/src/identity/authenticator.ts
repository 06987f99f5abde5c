import type { Role } from '@secretary-mcp/core/tool.ts'
import { type AccessTokens, hashOf, type TokenRecord } from './access-tokens.ts'
import type { Grant } from './browser-sessions.ts'
import type { OpenIdProvider } from './openid-provider.ts'
import { isEqual, type OwnerToken } from './owner-token.ts'

export interface Identity {
  readonly user: string
  readonly role: Role
  /** Whether the owner's own token says so. */
  readonly isOwner?: boolean
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
    if (owner?.token.is(token)) return { user: owner.user, role: 'operator', isOwner: true }
    return this.#identityOf(await this.#parts.tokens.find(token)) ?? provider?.identify(token)
  }

  /** What is remembered of a token so that a browser can be signed in with it. */
  async grantFor(token: string): Promise<Grant | undefined> {
    const tokenHash = hashOf(token)
    const identity = await this.identify(token)
    if (!identity) return undefined
    const { user, isOwner, expiresAt } = identity
    const isOurs = !isOwner && (await this.#parts.tokens.find(token)) !== undefined
    return {
      kind: isOwner ? 'owner' : isOurs ? 'token' : 'jwt',
      tokenHash,
      user,
      ...(expiresAt ? { tokenEndsAt: new Date(expiresAt * 1000).toISOString() } : {}),
    }
  }

  /** Who a grant stands for now; undefined once its token is revoked, replaced or expired. */
  async identifyGrant({
    kind,
    tokenHash,
    user,
    tokenEndsAt,
  }: Grant): Promise<Identity | undefined> {
    const { owner, provider } = this.#parts
    if (kind === 'owner')
      return owner && isEqual(tokenHash, hashOf(owner.token.text))
        ? { user: owner.user, role: 'operator', isOwner: true }
        : undefined
    if (kind === 'token') return this.#identityOf(await this.#parts.tokens.findByHash(tokenHash))
    const ends = Date.parse(tokenEndsAt ?? '')
    // The provider may have been removed from the settings since.
    return provider && user.startsWith(`${provider.issuer}|`) && ends > Date.now()
      ? { user, role: 'member', expiresAt: Math.floor(ends / 1000) }
      : undefined
  }

  #identityOf(record: TokenRecord | undefined): Identity | undefined {
    if (!record) return undefined
    const { user, role, expiresAt } = record
    return { user, role, expiresAt: Math.floor(Date.parse(expiresAt) / 1000) }
  }
}
