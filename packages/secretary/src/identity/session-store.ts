/** The token that a code or a session came from. It is known by its hash, so that both end with it. */
export interface Grant {
  /** The owner's token, one of our own, or a JWT of the OpenID provider. */
  readonly kind: 'owner' | 'token' | 'jwt'
  readonly tokenHash: string
  readonly user: string
  /** ISO 8601; undefined if the token does not expire. */
  readonly tokenEndsAt?: string
}

export interface StoredSession extends Grant {
  readonly hash: string
  readonly createdAt: string
  readonly expiresAt: string
}

export interface StoredCode extends Grant {
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
