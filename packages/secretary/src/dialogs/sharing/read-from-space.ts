import { Failure } from '@secretary-mcp/core/failure.ts'
import { Result } from '@secretary-mcp/core/result.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { titleOf } from '@secretary-mcp/transcripts/authorship.ts'
import { headOf, previewOf } from '@secretary-mcp/transcripts/redacted-preview.ts'
import { questionBefore } from '../bare-reply.ts'
import type { Dialogs } from '../dialogs.ts'
import type { RequestInSpace, WorkedRequest } from '../store/requests-in-spaces.ts'
import { namedProject } from './project-name.ts'

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
