import { createHash } from 'node:crypto'
import type { Caller } from '@secretary-mcp/core/tool.ts'

/** Whose flags count in a project: operators share the project's own; a member has theirs, and nobody else's. */
export function flagScopeOf({ user, role }: Pick<Caller, 'user' | 'role'>, key: string): string {
  if (role === 'operator') return key
  return createHash('sha256').update(`${user}\0${key}`).digest('hex').slice(0, 32)
}
