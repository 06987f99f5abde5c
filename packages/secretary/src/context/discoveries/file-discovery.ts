import { nameOfProject } from '@secretary-mcp/core/files/repository.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { NoteSight } from '../notes-in-sight.ts'
import type { Discovery } from './discovery.ts'
import { noteOf } from './feed.ts'

/**
 * So that a search finds it. One of a space is there for whoever asks another server next; what could not be stored is made up for
 * by a later search.
 */
export async function fileDiscovery(
  { user: author, project }: Caller,
  discovery: Discovery,
  { preparation, spaceNotes, log }: NoteSight,
): Promise<void> {
  const { scope, ...note } = noteOf(author, discovery)
  const { spaceId: space } = discovery
  if (space === undefined || !spaceNotes) return preparation.file(project, { ...note, scope })
  await spaceNotes
    .put([{ ...note, space, author, project: nameOfProject(project) }])
    .catch((err: unknown) => log.warn({ err }, 'a note of a space could not be stored'))
}
