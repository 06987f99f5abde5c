import type { Database } from '../../storage/database.ts'
import type { TokenRecord, TokenStore } from '../token-store.ts'

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
