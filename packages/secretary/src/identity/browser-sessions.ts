import { randomBytes } from 'node:crypto'
import { Failure } from '@secretary-mcp/core/failure.ts'
import type { Database } from '../storage/database.ts'
import { hashOf } from './access-tokens.ts'
import type { Authenticator, Identity } from './authenticator.ts'

const DAY_MS = 86_400_000
const SESSION_MS = 30 * DAY_MS
/** Long enough for a browser to start. */
const CODE_MS = 2 * 60_000
/** For an address that is printed when a server starts. */
export const PRINTED_CODE_MS = 10 * 60_000
const MAX_CODES_PER_TOKEN = 30
const MAX_SESSIONS_PER_TOKEN = 100
const SECRET = /^[\w-]{43}$/

export type CodeState =
  | { readonly state: 'valid'; readonly identity: Identity }
  | { readonly state: 'used' | 'unknown' }

/**
 * Sessions of browsers. A session is a random id of its own, never the token; it starts with a code that works once and ends with the
 * token behind it.
 */
export class BrowserSessions {
  readonly #store: SessionStore
  readonly #authenticator: Authenticator
  readonly #now: () => number

  constructor(store: SessionStore, authenticator: Authenticator, now: () => number = Date.now) {
    this.#store = store
    this.#authenticator = authenticator
    this.#now = now
  }

  /** Undefined if nobody has this token. */
  async createCode(
    token: string,
    lifetimeMs = CODE_MS,
  ): Promise<{ readonly code: string; readonly expiresAt: string } | undefined> {
    const grant = await this.#authenticator.grantFor(token)
    if (!grant) return undefined
    const now = this.#at(0)
    await this.#store.prune(now, grant.tokenHash, MAX_SESSIONS_PER_TOKEN)
    if ((await this.#store.countCodes(grant.tokenHash, now)) >= MAX_CODES_PER_TOKEN)
      throw new Failure('rate_limited', 'Too many sign-in codes are open; try again in two minutes')
    const code = createSecret()
    const expiresAt = this.#at(lifetimeMs)
    await this.#store.addCode({ ...grant, hash: hashOf(code), expiresAt })
    return { code, expiresAt }
  }

  /** Whom a code would sign in. It stays unused. */
  async readCode(code: string): Promise<CodeState> {
    const stored = SECRET.test(code) ? await this.#store.findCode(hashOf(code)) : undefined
    if (!stored || stored.expiresAt <= this.#at(0)) return { state: 'unknown' }
    if (stored.sessionHash !== undefined) return { state: 'used' }
    const identity = await this.#authenticator.identifyGrant(stored)
    return identity ? { state: 'valid', identity } : { state: 'unknown' }
  }

  /** Exchanges a code for a session. Whoever uses a code a second time may not be the one who used it first, so that session ends. */
  async redeem(
    code: string,
  ): Promise<{ readonly session: string; readonly expiresAt: Date } | undefined> {
    const { state } = await this.readCode(code)
    const stored = state === 'unknown' ? undefined : await this.#store.findCode(hashOf(code))
    if (!stored) return undefined
    if (stored.sessionHash !== undefined) {
      await this.#store.remove(stored.sessionHash)
      return undefined
    }
    const session = createSecret()
    const { sessionHash: _none, ...grant } = stored
    const ends = [this.#at(SESSION_MS), grant.tokenEndsAt ?? '9999'].sort()[0] as string
    const made = { ...grant, hash: hashOf(session), createdAt: this.#at(0), expiresAt: ends }
    if (await this.#store.redeem(stored.hash, made)) return { session, expiresAt: new Date(ends) }
    // Somebody else used it at the same moment.
    const winner = (await this.#store.findCode(stored.hash))?.sessionHash
    if (winner !== undefined) await this.#store.remove(winner)
    return undefined
  }

  async identify(session: string): Promise<Identity | undefined> {
    if (!SECRET.test(session)) return undefined
    const stored = await this.#store.find(hashOf(session))
    if (!stored || stored.expiresAt <= this.#at(0)) return undefined
    const identity = await this.#authenticator.identifyGrant(stored)
    return identity && { ...identity, expiresAt: Math.floor(Date.parse(stored.expiresAt) / 1000) }
  }

  /** Whether this code gave this session: somebody reloads the link that they used. */
  async cameFrom(session: string, code: string): Promise<boolean> {
    const stored = await this.#store.findCode(hashOf(code))
    return stored?.sessionHash !== undefined && stored.sessionHash === hashOf(session)
  }

  async end(session: string): Promise<void> {
    await this.#store.remove(hashOf(session))
  }

  #at(later: number): string {
    return new Date(this.#now() + later).toISOString()
  }
}

function createSecret(): string {
  return randomBytes(32).toString('base64url')
}

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
