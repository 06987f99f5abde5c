import type { Dialog } from '@secretary-mcp/transcripts/dialog.ts'

/** Such keys belong to no source's folder, so their file counts as gone, and not as deleted. */
export const CARRIED = 'sync:'

/** It came from another machine: its file was never here. */
export function isCarried({ key }: Pick<Dialog, 'key'>): boolean {
  return key.startsWith(CARRIED)
}
