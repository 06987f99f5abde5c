import type { Role } from '@secretary-mcp/core/tool.ts'

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
