import { posix } from 'node:path'
import { Failure } from '@secretary-mcp/core/failure.ts'
import { quoteLine } from '@secretary-mcp/core/quote.ts'
import { Result } from '@secretary-mcp/core/result.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { titleOf } from '@secretary-mcp/transcripts/authorship.ts'
import { shownLine } from '@secretary-mcp/transcripts/preview.ts'
import { headOf, previewOf } from '@secretary-mcp/transcripts/redacted-preview.ts'
import { isFromChosen } from '../../space.ts'
import { isBareReply, questionBefore } from '../bare-reply.ts'
import type { Dialogs } from '../dialogs.ts'
import type {
  RequestInSpace,
  SharedRequestStore,
  WorkedRequest,
} from '../store/requests-in-spaces.ts'
import { namedProject, pathInRepository } from './project-name.ts'

/** Where an answer comes from, beside what is shared. */
export interface FromSpace {
  readonly space: string
  readonly by: string
}

export function fromSpace({ space, by }: RequestInSpace): FromSpace {
  return { space, by }
}

/** A dialog that somebody shares with a space of the caller's; the caller's own go by their files. */
export async function dialogFromSpace(
  dialogs: Dialogs,
  caller: Caller,
  sessionId: string | undefined,
  signal: AbortSignal,
): Promise<readonly [WorkedRequest, ...WorkedRequest[]] | undefined> {
  const { shared } = dialogs
  if (!shared || sessionId === undefined) return undefined
  const isOwn =
    (await dialogs.ready(caller, signal)) &&
    (await dialogs.store.findBySession(sessionId)).length > 0
  const [first, ...rest] = isOwn ? [] : await shared.ofSession(caller.user, sessionId)
  return first && [first, ...rest]
}

/** Whether somebody shares a request of the caller's project with them. */
export async function isAnyShared(
  { shared }: Dialogs,
  { user, project }: Caller,
): Promise<boolean> {
  const wanted = { project: namedProject(project).repository, limit: 1 }
  return ((await shared?.latest(user, wanted)) ?? []).length > 0
}

/** The question that a shared request answers, in what is shared of the dialog. */
export function questionInSpace(
  requests: readonly WorkedRequest[],
  { by, position, request }: Pick<WorkedRequest, 'by' | 'position' | 'request'>,
): { readonly answers?: string } {
  const before = requests.find((one) => one.by === by && one.position === position - 1)
  const asked = before?.deeds.findLast(({ kind }) => kind === 'question')?.text
  const answers = questionBefore(request, before?.answer) ?? questionBefore(request, asked)
  return answers ? { answers } : {}
}

export function requestFromSpace(requests: readonly WorkedRequest[], index: number) {
  const found = requests.find(({ position }) => position === index)
  if (!found)
    throw new Failure('out_of_range', `Index ${index} exceeds total requests (${requests.length})`)
  return Result.ok({
    sessionId: found.sessionId,
    request: found.request,
    ...questionInSpace(requests, found),
    index,
    timestamp: Date.parse(found.askedAt),
    totalRequests: requests.length,
    ...fromSpace(found),
  })
}

export function firstFromSpace(requests: readonly [WorkedRequest, ...WorkedRequest[]]) {
  const [first] = requests
  return Result.ok({
    sessionId: first.sessionId,
    firstRequest: previewOf(first.request),
    timestamp: Date.parse(first.askedAt),
    requestsCount: requests.length,
    ...fromSpace(first),
  })
}

/** As the page shows a dialog; it has the words that are shared, and no file. */
export function threadFromSpace(
  requests: readonly [WorkedRequest, ...WorkedRequest[]],
  { limit, offset }: { readonly limit: number; readonly offset: number },
) {
  const [first] = requests
  const times = requests.map(({ askedAt }) => Date.parse(askedAt))
  const { sessionId, source, by, space } = first
  return {
    dialog: {
      ...{
        sessionId,
        source,
        title: `Shared by ${by} with ${space}`,
        status: 'completed' as const,
      },
      firstSeen: Math.min(...times),
      lastSeen: Math.max(...times),
      requestsCount: requests.length,
      firstRequestPreview: previewOf(first.request),
    },
    revision: `${requests.length}-${Math.max(...times)}`,
    requests: requests.slice(offset, offset + limit).map((one) => ({
      index: one.position,
      timestamp: Date.parse(one.askedAt),
      request: one.request,
      title: titleOf(one.request),
      ...questionInSpace(requests, one),
    })),
    total: requests.length,
  }
}

export function answersFromSpace(
  requests: readonly WorkedRequest[],
  { longest, limit, offset }: { longest: number; limit: number; offset: number },
) {
  return requests
    .slice(offset, offset + limit)
    .flatMap(({ position: index, answer }) =>
      answer === undefined
        ? []
        : { index, answer: answer.slice(0, longest), length: answer.length },
    )
}

export function pageFromSpace(
  requests: readonly [WorkedRequest, ...WorkedRequest[]],
  { limit, offset }: { readonly limit: number; readonly offset: number },
) {
  const [first] = requests
  const end = offset + limit
  return Result.ok({
    sessionId: first.sessionId,
    requests: requests.slice(offset, end).map((one) => ({
      index: one.position,
      timestamp: Date.parse(one.askedAt),
      ...headOf(one.request),
      ...questionInSpace(requests, one),
    })),
    totalRequests: requests.length,
    ...fromSpace(first),
    ...(end < requests.length ? { more: `Call again with offset ${end}` } : {}),
  })
}

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
