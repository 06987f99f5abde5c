import { createHash, randomBytes } from 'node:crypto'
import type { Role } from '@secretary-mcp/core/tool.ts'
import type { TokenRecord, TokenStore } from './store/token-store.ts'

const PREFIX = 'sec_'
const DAY_MS = 86_400_000

/** Bearer tokens that stand for a user: shown once when made, kept as hashes. */
export class AccessTokens {
  readonly #store: TokenStore
  readonly #now: () => Date

  constructor(store: TokenStore, now: () => Date = () => new Date()) {
    this.#store = store
    this.#now = now
  }

  async create(
    user: string,
    { days, label = '', role = 'member' }: { days: number; label?: string; role?: Role },
  ): Promise<{ token: string; record: TokenRecord }> {
    const token = `${PREFIX}${randomBytes(32).toString('base64url')}`
    const now = this.#now()
    const record = {
      id: randomBytes(4).toString('hex'),
      user,
      role,
      label,
      createdAt: now.toISOString(),
      expiresAt: new Date(now.getTime() + days * DAY_MS).toISOString(),
    }
    await this.#store.add({ ...record, hash: hashOf(token) })
    return { token, record }
  }

  /** The record behind a token that is known, not revoked and not expired. */
  async find(token: string): Promise<TokenRecord | undefined> {
    return token.startsWith(PREFIX) ? this.findByHash(hashOf(token)) : undefined
  }

  async findByHash(hash: string): Promise<TokenRecord | undefined> {
    const record = await this.#store.findByHash(hash)
    if (!record || record.revokedAt || record.expiresAt <= this.#now().toISOString())
      return undefined
    return record
  }

  list(): Promise<TokenRecord[]> {
    return this.#store.list()
  }

  revoke(id: string): Promise<boolean> {
    return this.#store.revoke(id, this.#now().toISOString())
  }
}

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
