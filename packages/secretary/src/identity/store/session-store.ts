import type { Database } from '../../storage/database.ts'

/** The token that a code or a session came from. It is known by its hash, so that both end with it. */
export interface Grant {
  /** The owner's token, one of our own, or a JWT of the OpenID provider. */
  readonly kind: 'owner' | 'token' | 'jwt'
  readonly tokenHash: string
  readonly user: string
  /** ISO 8601; undefined if the token does not expire. */
  readonly tokenEndsAt?: string
}

interface StoredSession extends Grant {
  readonly hash: string
  readonly createdAt: string
  readonly expiresAt: string
}

interface StoredCode extends Grant {
  readonly hash: string
  readonly expiresAt: string
  /** The session that it gave; undefined until it is used. */
  readonly sessionHash?: string
}

/** What the sessions of browsers need from storage: only hashes ever reach it. */
export interface SessionStore {
  addCode(code: StoredCode): Promise<void>
  findCode(hash: string): Promise<StoredCode | undefined>
  countCodes(tokenHash: string, now: string): Promise<number>
  /** Marks the code as used and adds the session, both or neither; false if the code was used before. */
  redeem(codeHash: string, session: StoredSession): Promise<boolean>
  find(hash: string): Promise<StoredSession | undefined>
  remove(hash: string): Promise<void>
  /** Deletes what has expired, and all but the newest sessions of a token. */
  prune(now: string, tokenHash: string, maxSessions: number): Promise<void>
}

interface GrantRow {
  kind: Grant['kind']
  token_hash: string
  user_id: string
  token_ends_at: string | null
}

export function createSessionStore(database: Database): SessionStore {
  return {
    async addCode({ hash, expiresAt, ...grant }) {
      const row = { hash, ...rowOf(grant), expires_at: expiresAt, session_hash: null }
      await database.use((db) => db.insertInto('sign_in_codes').values(row).execute())
    },

    async findCode(hash): Promise<StoredCode | undefined> {
      const row = await database.use((db) =>
        db.selectFrom('sign_in_codes').selectAll().where('hash', '=', hash).executeTakeFirst(),
      )
      return (
        row && {
          hash,
          ...grantOf(row),
          expiresAt: row.expires_at,
          ...(row.session_hash === null ? {} : { sessionHash: row.session_hash }),
        }
      )
    },

    async countCodes(tokenHash, now) {
      const { count } = await database.use((db) =>
        db
          .selectFrom('sign_in_codes')
          .select((e) => e.fn.countAll<number>().as('count'))
          .where('token_hash', '=', tokenHash)
          .where('session_hash', 'is', null)
          .where('expires_at', '>', now)
          .executeTakeFirstOrThrow(),
      )
      return Number(count)
    },

    redeem: (codeHash, { hash, createdAt, expiresAt, ...grant }) =>
      database.use((db) =>
        db.transaction().execute(async (trx) => {
          const { numUpdatedRows } = await trx
            .updateTable('sign_in_codes')
            .set({ session_hash: hash })
            .where('hash', '=', codeHash)
            .where('session_hash', 'is', null)
            .executeTakeFirst()
          if (numUpdatedRows === 0n) return false
          const row = { hash, ...rowOf(grant), created_at: createdAt, expires_at: expiresAt }
          await trx.insertInto('browser_sessions').values(row).execute()
          return true
        }),
      ),

    async find(hash): Promise<StoredSession | undefined> {
      const row = await database.use((db) =>
        db.selectFrom('browser_sessions').selectAll().where('hash', '=', hash).executeTakeFirst(),
      )
      return row && { hash, ...grantOf(row), createdAt: row.created_at, expiresAt: row.expires_at }
    },

    async remove(hash) {
      await database.use((db) =>
        db.deleteFrom('browser_sessions').where('hash', '=', hash).execute(),
      )
    },

    prune: (now, tokenHash, maxSessions) =>
      database.use(async (db) => {
        for (const table of ['sign_in_codes', 'browser_sessions'] as const)
          await db.deleteFrom(table).where('expires_at', '<=', now).execute()
        const newest = db
          .selectFrom('browser_sessions')
          .select('hash')
          .where('token_hash', '=', tokenHash)
          .orderBy('created_at', 'desc')
          .limit(maxSessions)
        await db
          .deleteFrom('browser_sessions')
          .where('token_hash', '=', tokenHash)
          .where('hash', 'not in', newest)
          .execute()
      }),
  }
}

function rowOf({ kind, tokenHash, user, tokenEndsAt }: Grant): GrantRow {
  return { kind, token_hash: tokenHash, user_id: user, token_ends_at: tokenEndsAt ?? null }
}

function grantOf({ kind, token_hash, user_id, token_ends_at }: GrantRow): Grant {
  return {
    kind,
    tokenHash: token_hash,
    user: user_id,
    ...(token_ends_at === null ? {} : { tokenEndsAt: token_ends_at }),
  }
}
