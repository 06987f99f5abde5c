import { Result } from '@secretary-mcp/core/result.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { unknownSource } from './dialog-answers.ts'
import type { Dialogs } from './dialogs.ts'
import { hintOfClones } from './hint-of-clones.ts'
import { projectNames } from '@secretary-mcp/transcripts/project-path.ts'
import { SOURCE_NAMES } from '@secretary-mcp/transcripts/source-names.ts'

export async function listDialogs(
  dialogs: Dialogs,
  caller: Caller,
  filter: { source?: string; everywhere: boolean; limit: number; offset: number },
  signal: AbortSignal,
) {
  const { everywhere, source: given, ...rest } = filter
  const source = SOURCE_NAMES.find((name) => name === given)
  if (given !== undefined && !source) throw unknownSource()
  if (!(await dialogs.ready(caller, signal))) return Result.ok({ dialogs: [], total: 0 })
  const names = projectNames(caller.project)
  const projects = everywhere ? undefined : await dialogs.deeds.namesOf(caller.project)
  const found = await dialogs.store.list({ ...rest, source, asked: true, projects })
  const end = filter.offset + found.dialogs.length
  return Result.ok({
    dialogs: await Promise.all(found.dialogs.map((dialog) => dialogs.shown(dialog, names))),
    total: found.total,
    ...(end < found.total ? { more: `Call again with offset ${end}` } : {}),
    ...notes(
      dialogs.index.unread.note,
      everywhere ? undefined : await hintOfClones(dialogs, caller),
    ),
  })
}

function notes(...found: readonly (string | undefined)[]): { note?: string } {
  const note = found.filter((one) => one !== undefined).join('. ')
  return note === '' ? {} : { note }
}
