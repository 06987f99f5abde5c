import type { Dialog } from '@secretary-mcp/transcripts/dialog.ts'
import { isWithin } from '@secretary-mcp/transcripts/project-path.ts'
import { isRepositorySource } from '@secretary-mcp/transcripts/source-names.ts'
import type { DialogStore, IndexedDialog } from './dialog-store.ts'

/** An index that lives as long as its process, for hosts without a database, such as an editor's extension. */
export function memoryDialogStore(): DialogStore {
  const known = new Map<string, IndexedDialog & { readonly storedAt: number }>()
  const removed = new Map<string, IndexedDialog & { readonly storedAt: number }>()
  let change = 0
  const newestFirst = () =>
    [...known.values()].sort(
      (a, b) => b.lastSeen - a.lastSeen || b.firstSeen - a.firstSeen || (a.key < b.key ? -1 : 1),
    )
  return {
    generation: 1,

    async stamps() {
      return new Map(
        [...known].map(([key, { size, mtimeMs, chatJsonPath }]) => [
          key,
          { size, mtimeMs, gone: chatJsonPath === undefined },
        ]),
      )
    },

    async list(filter) {
      const {
        projects,
        source,
        asked,
        isOwn,
        present,
        since = 0,
        until = Number.POSITIVE_INFINITY,
        storedSince = 0,
        limit,
        offset,
      } = filter
      const found = (filter.removed ? [...removed.values()] : newestFirst()).filter(
        (dialog) =>
          (!projects || isWithin(dialog.project, projects)) &&
          (!source || dialog.source === source) &&
          dialog.lastSeen >= since &&
          dialog.lastSeen <= until &&
          dialog.storedAt >= storedSince &&
          (present === undefined || present === (dialog.chatJsonPath !== undefined)) &&
          (!asked || dialog.requestsCount > 0) &&
          !(isOwn && isRepositorySource(dialog.source)),
      )
      return { dialogs: found.slice(offset, offset + limit).map(bare), total: found.length }
    },

    async facets() {
      const all = [...known.values()].filter(({ requestsCount }) => requestsCount > 0)
      const sources = [...new Set<string>(all.map(({ source }) => source))].sort()
      return {
        sources,
        projects: [
          ...new Set(
            all.flatMap(({ project }) => (project?.startsWith('sha256:') ? [] : (project ?? []))),
          ),
        ].sort(),
      }
    },

    async sessionIds() {
      const asked = [...known.values()].filter(({ requestsCount }) => requestsCount > 0)
      return [...new Set(asked.map(({ sessionId }) => sessionId))]
    },

    async findBySession(sessionId) {
      return newestFirst()
        .filter((dialog) => dialog.sessionId === sessionId)
        .map(bare)
    },

    async findReading(key) {
      return known.get(key)?.reading
    },

    latestChange: async () => change,

    async save(dialogs) {
      for (const dialog of dialogs) {
        known.set(dialog.key, { ...dialog, storedAt: ++change })
        removed.delete(dialog.key)
      }
    },

    async markGone(keys) {
      for (const key of keys) {
        const dialog = known.get(key)
        if (dialog) known.set(key, { ...dialog, chatJsonPath: undefined, storedAt: ++change })
      }
    },

    async remove(keys) {
      for (const key of keys) {
        const dialog = known.get(key)
        if (dialog) removed.set(key, { ...dialog, storedAt: ++change })
        known.delete(key)
      }
    },

    async findRemoved(sessionId) {
      return [...removed.values()].filter((dialog) => dialog.sessionId === sessionId).map(bare)
    },

    async leftOut() {
      return newestFirst().flatMap(({ chatJsonPath: path, reading: { leftOut } }) =>
        path && leftOut ? [{ path, ...leftOut }] : [],
      )
    },
  }
}

function bare({
  reading: _reading,
  storedAt: _storedAt,
  ...dialog
}: IndexedDialog & { readonly storedAt: number }): Dialog {
  return dialog
}
