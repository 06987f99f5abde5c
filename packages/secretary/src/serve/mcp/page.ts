import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'

const PAGE_SIZE = 100

/** One page of a list whose order never changes; the cursor is the place where it goes on. */
export function pageOf<T>(
  all: readonly T[],
  cursor: string | undefined,
  size = PAGE_SIZE,
): { items: T[]; nextCursor?: string } {
  const start = cursor === undefined ? 0 : Number.parseInt(cursor, 10)
  if (!(start >= 0 && start <= all.length) || (cursor !== undefined && String(start) !== cursor)) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid cursor')
  }
  const end = start + size
  return { items: all.slice(start, end), ...(end < all.length ? { nextCursor: String(end) } : {}) }
}
