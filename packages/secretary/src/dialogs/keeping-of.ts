import type { Source } from '@secretary-mcp/transcripts/source.ts'
import type { DeedStore } from './deeds/deed-store.ts'
import type { Keeping } from './keeping/keeping.ts'

type KeepingPort = Pick<Keeping, keyof Keeping>
type Parts = ConstructorParameters<typeof Keeping>[0]

/** Where nothing is kept, as in the editor, its code is not loaded either. */
export async function keepingOf(parts: Parts): Promise<KeepingPort> {
  if (!parts.kept) return notKept(parts)
  const { Keeping } = await import('./keeping/keeping.ts')
  return new Keeping(parts)
}

/** What is gone from the disk is gone. */
function notKept({ deeds }: { readonly deeds?: DeedStore }): KeepingPort {
  return {
    forgottenKeys: async () => new Set(),
    isForgotten: async () => false,
    restore: async () => [],
    async judge(stamps, present, unlisted) {
      const sourcesLeft = [...unlisted]
      const isUnlisted = (key: string) =>
        sourcesLeft.some(({ roots }: Source) => roots.some((root) => key.startsWith(root)))
      const removed = [...stamps]
        .filter(([key, stamp]) => !stamp.removed && !present.has(key) && !isUnlisted(key))
        .map(([key]) => key)
      return { gone: [], removed }
    },
    removed: async (keys) => deeds?.forget(keys),
    keep: async () => {},
    close: async () => {},
  }
}
