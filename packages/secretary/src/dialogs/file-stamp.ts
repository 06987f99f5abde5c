import type { KnownStamp } from './dialog-store.ts'
import type { Found } from '@secretary-mcp/transcripts/source.ts'

export function markStamp(
  stamps: Map<string, KnownStamp>,
  key: string,
  change: Partial<KnownStamp>,
): void {
  const stamp = stamps.get(key)
  if (stamp) stamps.set(key, { ...stamp, ...change })
}

export function stampText({ size, mtimeMs }: Found): string {
  return `${size}/${mtimeMs}`
}
