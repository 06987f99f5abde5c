import type { Dialog } from '@secretary-mcp/transcripts/dialog.ts'
import type { DialogFilter, DialogStore } from './dialog-store.ts'

const PAGE = 1000

/** All dialogs that pass, newest first, however many there are. */
export async function everyDialog(
  store: DialogStore,
  filter: Omit<DialogFilter, 'limit' | 'offset'>,
): Promise<Dialog[]> {
  const all = new Map<string, Dialog>()
  for (let offset = 0; ; offset += PAGE) {
    const { dialogs } = await store.list({ ...filter, limit: PAGE, offset })
    for (const dialog of dialogs) all.set(dialog.key, dialog)
    if (dialogs.length < PAGE) return [...all.values()]
  }
}
