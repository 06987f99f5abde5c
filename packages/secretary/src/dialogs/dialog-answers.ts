import { Failure } from '@secretary-mcp/core/failure.ts'
import { type Dialog, type ShownDialog, settled } from '@secretary-mcp/transcripts/dialog.ts'
import { cutText } from '@secretary-mcp/transcripts/preview.ts'
import { SOURCE_NAMES } from '@secretary-mcp/transcripts/source-names.ts'

/** Said where an answer comes from what was kept, because the agent's own file is no longer there. */
export function fileGone({ chatJsonPath }: Pick<Dialog, 'chatJsonPath'>): { fileGone?: true } {
  return chatJsonPath === undefined ? { fileGone: true } : {}
}

const LONGEST_REQUEST = 2_000_000

export function noChatData(): Failure {
  return new Failure('not_found', 'Chat data not available for session')
}

export function noActiveDialog(): Failure {
  return new Failure('not_found', 'No active dialog found')
}

export function unknownSource(): Failure {
  return new Failure('validation_error', `source must be one of ${SOURCE_NAMES.join(', ')}`)
}

/** In full, up to what no client could take. */
export function bounded(request: string): string {
  if (request.length <= LONGEST_REQUEST) return request
  return `${cutText(request, LONGEST_REQUEST)}\n[cut: ${request.length} characters; \`secretary dialogs export\` has the rest]`
}

/** As callers see it; a project that its source knows only by a hash goes by its folder where that is the caller's. */
export function described(known: Dialog, names: readonly string[] = []): ShownDialog {
  const { key: _key, size: _size, mtimeMs: _mtimeMs, ...dialog } = settled(known)
  const isHash =
    dialog.project !== undefined && dialog.project !== names[0] && names.includes(dialog.project)
  const shown = isHash ? { ...dialog, project: names[0] } : dialog
  return { ...shown, ...fileGone(dialog) }
}
