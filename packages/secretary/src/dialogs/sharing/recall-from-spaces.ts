import { posix } from 'node:path'
import { quoteLine } from '@secretary-mcp/core/quote.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { shownLine } from '@secretary-mcp/transcripts/preview.ts'
import { isFromChosen } from '../../space.ts'
import { isBareReply } from '../bare-reply.ts'
import type { RequestInSpace, SharedRequestStore } from '../store/requests-in-spaces.ts'
import { namedProject, pathInRepository } from './project-name.ts'

const MAX_LINES = 3
const MAX_LOOKED_AT = 200
const MAX_FILES = 30
const MAX_LINE = 160

/** What others asked lately about the files at hand, a line each; where no file is known, what they asked last. */
export async function recallFromSpaces(
  store: SharedRequestStore | undefined,
  { user, project: folder }: Caller,
  files: readonly string[],
  spaces?: readonly string[],
): Promise<string[]> {
  if (!store) return []
  const named = namedProject(folder)
  const wanted = { project: named.repository, limit: MAX_LOOKED_AT, byOthers: true }
  const latest = (await store.latest(user, wanted)).filter(({ space }) =>
    isFromChosen(space, spaces),
  )
  const hand = new Set(
    files.slice(0, MAX_FILES).flatMap((file) => pathInRepository(file, named) ?? []),
  )
  return (
    latest
      .filter((request) => hand.size === 0 || request.files.some((file) => hand.has(file)))
      // A reply such as "yes" tells nobody anything without the question before it.
      .filter(({ request }) => !isBareReply(request))
      .slice(0, MAX_LINES)
      .map((request) => lineOf(request, hand))
  )
}

function lineOf(
  { by, space, askedAt, request, files, sessionId, position }: RequestInSpace,
  hand: ReadonlySet<string>,
): string {
  const file = files.find((one) => hand.has(one)) ?? files[0]
  const about = file === undefined ? '' : ` (${posix.basename(file)})`
  const where = `${sessionId} #${position}`
  return `${quoteLine(by)} in the space ${quoteLine(space)}, ${askedAt.slice(0, 10)}: ${shownLine(request, MAX_LINE)}${about} [${where}]`
}
