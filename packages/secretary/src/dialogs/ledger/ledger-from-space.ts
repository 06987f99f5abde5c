import { repositoryOf } from '@secretary-mcp/core/files/repository.ts'
import { Result } from '@secretary-mcp/core/result.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { headOf } from '@secretary-mcp/transcripts/redacted-preview.ts'
import { endsWithQuestion } from '../bare-reply.ts'
import type { PlacedDeed } from '../deeds/deeds-of-dialog.ts'
import { fromSpace, questionInSpace } from '../sharing/read-from-space.ts'
import type { WorkedRequest } from '../sharing/sharing-store.ts'
import { commitsOf, type ProvenCommit } from './commits.ts'
import type { Ledger, LedgerArguments } from './ledger.ts'
import { entryOf, inWords, type LedgerEntry, PresentFiles, standingOf } from './ledger-entry.ts'
import { type Doubt, judgeRequest } from './request-state.ts'

/** What became of the requests of a dialog that somebody shares, as far as the caller's own checkout shows it. */
export async function ledgerFromSpace(
  requests: readonly [WorkedRequest, ...WorkedRequest[]],
  caller: Caller,
  { index, state, limit, offset }: LedgerArguments,
): Promise<Result<Ledger>> {
  const deeds = requests.flatMap(placedDeeds)
  const root = repositoryOf(caller.project)?.root ?? caller.project
  const files = new PresentFiles(root)
  const made = await commitsOf(deeds, root)
  const entries: LedgerEntry[] = []
  for (const request of requests)
    if (index === undefined || request.position === index)
      entries.push(await judged(request, requests, deeds, made, files))
  const wanted = entries.filter(
    (entry) =>
      state === undefined || entry.state === state || entry.against.includes(state as Doubt),
  )
  const page = wanted.slice(offset, offset + limit)
  const end = offset + page.length
  const [first] = requests
  return Result.ok({
    sessionId: first.sessionId,
    entries: page,
    total: wanted.length,
    ...(end < wanted.length ? { more: `Call again with offset ${end}` } : {}),
    ...fromSpace(first),
  })
}

async function judged(
  shared: WorkedRequest,
  requests: readonly WorkedRequest[],
  deeds: readonly PlacedDeed[],
  made: readonly ProvenCommit[],
  files: PresentFiles,
): Promise<LedgerEntry> {
  const { position, askedAt, request, answer } = shared
  const own = deeds.filter((deed) => deed.position === position)
  const standing = await standingOf(own, files)
  const last = own.at(-1)
  const isLast = position === requests.at(-1)?.position
  const asksBack = (last?.kind === 'question' && !last.tail) || endsWithQuestion(answer)
  const { preview, title } = headOf(request)
  const entry = entryOf({
    index: position,
    timestamp: Date.parse(askedAt),
    request: preview,
    ...(title ? { title } : {}),
    own,
    standing,
    judgement: judgeRequest(position, deeds, made, isLast && asksBack),
  })
  return inWords(entry, { request, ...questionInSpace(requests, shared) }, own)
}

function placedDeeds({ sessionId, source, position, deeds }: WorkedRequest): PlacedDeed[] {
  const of = { id: 0, key: '', sessionId, source, isHelper: false, position }
  return deeds.map((deed) => ({ ...deed, ...of }))
}
