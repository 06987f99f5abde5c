import type { Role } from '@secretary-mcp/core/tool.ts'
import type { Database } from '../../storage/database.ts'

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
export interface TokenStore {
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

const COLUMNS = [
  'id',
  'user_id',
  'role',
  'label',
  'created_at',
  'expires_at',
  'revoked_at',
] as const

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
