import type { Dialog } from '@secretary-mcp/transcripts/dialog.ts'
import type { DialogFilter, DialogStore } from './dialog-store.ts'
import { projectNames } from '@secretary-mcp/transcripts/project-path.ts'
import { SOURCE_NAMES } from '@secretary-mcp/transcripts/source-names.ts'

export interface BrowseFilter extends Omit<DialogFilter, 'source' | 'projects' | 'asked'> {
  readonly source?: string
  readonly project?: string
}

export interface DialogPage {
  readonly dialogs: Dialog[]
  readonly total: number
}

/** Dialogs as a person narrows them down: an agent that nobody knows has none. */
export async function browseDialogs(
  store: DialogStore,
  { project, source: given, ...rest }: BrowseFilter,
): Promise<DialogPage> {
  const source = SOURCE_NAMES.find((name) => name === given)
  if (given !== undefined && !source) return { dialogs: [], total: 0 }
  const projects = project === undefined ? undefined : projectNames(project)
  return store.list({ ...rest, source, asked: true, projects })
}
