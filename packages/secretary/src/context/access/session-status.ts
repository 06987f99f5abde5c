import type { Session } from './access-store.ts'

export const IDLE_MS = 30 * 60_000
const ARCHIVED_AFTER_MS = 7 * 86_400_000

export type SessionStatus = 'active' | 'completed' | 'archived'

/** Follows from the times alone, so nothing has to run for a session to come to its end. */
export function sessionStatus({ endedAt, lastActiveAt }: Session, nowMs: number): SessionStatus {
  const idleMs = nowMs - Date.parse(lastActiveAt)
  if (idleMs > ARCHIVED_AFTER_MS) return 'archived'
  return endedAt !== undefined || idleMs > IDLE_MS ? 'completed' : 'active'
}
