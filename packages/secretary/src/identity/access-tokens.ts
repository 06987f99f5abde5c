import { createHash, randomBytes } from 'node:crypto'
import type { Role } from '@secretary-mcp/core/tool.ts'
import type { Database } from '../storage/database.ts'

const COLUMNS = [
  'id',
  'user_id',
  'role',
  'label',
  'created_at',
  'expires_at',
  'revoked_at',
] as const

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

export interface TokenRecord {
  readonly id: string
  readonly user: string
  readonly role: Role
  readonly label: string
  readonly createdAt: string
  readonly expiresAt: string
  readonly revokedAt?: string
}

/** What access tokens need from storage: only hashes ever reach it. */
interface TokenStore {
  add(token: TokenRecord & { readonly hash: string }): Promise<void>
  findByHash(hash: string): Promise<TokenRecord | undefined>
  list(): Promise<TokenRecord[]>
  /** False where there is no such token, or it was revoked before. */
  revoke(id: string, now: string): Promise<boolean>
}

interface Row {
  id: string
  user_id: string
  role: string
  label: string
  created_at: string
  expires_at: string
  revoked_at: string | null
}

export function createTokenStore(database: Database): TokenStore {
  return {
    async add({ id, user, role, label, hash, createdAt, expiresAt }) {
      const row = {
        id,
        user_id: user,
        role,
        label,
        hash,
        created_at: createdAt,
        expires_at: expiresAt,
        revoked_at: null,
      }
      await database.use((db) => db.insertInto('tokens').values(row).execute())
    },

    async findByHash(hash) {
      const row = await database.use((db) =>
        db.selectFrom('tokens').select(COLUMNS).where('hash', '=', hash).executeTakeFirst(),
      )
      return row && recordOf(row)
    },

    async list() {
      const rows = await database.use((db) =>
        db.selectFrom('tokens').select(COLUMNS).orderBy('created_at').execute(),
      )
      return rows.map(recordOf)
    },

    async revoke(id, now) {
      const { numUpdatedRows } = await database.use((db) =>
        db
          .updateTable('tokens')
          .set({ revoked_at: now })
          .where('id', '=', id)
          .where('revoked_at', 'is', null)
          .executeTakeFirst(),
      )
      return numUpdatedRows > 0n
    },
  }
}

function recordOf({
  id,
  user_id,
  role,
  label,
  created_at,
  expires_at,
  revoked_at,
}: Row): TokenRecord {
  return {
    id,
    user: user_id,
    role: role === 'operator' ? 'operator' : 'member',
    label,
    createdAt: created_at,
    expiresAt: expires_at,
    ...(revoked_at ? { revokedAt: revoked_at } : {}),
  }
}
