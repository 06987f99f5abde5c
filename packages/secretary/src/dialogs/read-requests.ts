import { Failure } from '@secretary-mcp/core/failure.ts'
import { Result } from '@secretary-mcp/core/result.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { bounded, goneFile, noChatData } from './dialog-schema.ts'
import type { Dialogs } from './dialogs.ts'

export interface RequestPage {
  readonly sessionId: string
  readonly requests: {
    index: number
    timestamp: number
    preview: string
    /** Where its beginning does not tell it from others. */
    title?: string
    answers?: string
  }[]
  readonly totalRequests: number
  readonly fileGone?: true
  readonly more?: string
  /** Of a dialog that somebody shares. */
  readonly space?: string
  readonly by?: string
}

export async function getRequest(
  dialogs: Dialogs,
  caller: Caller,
  index: number,
  sessionId: string | undefined,
  signal: AbortSignal,
) {
  const fromSpace = await dialogs.fromSpace(caller, sessionId, signal)
  if (fromSpace) {
    const { requestFromSpace } = await import('./sharing/read-from-space.ts')
    return requestFromSpace(fromSpace, index)
  }
  const { dialog, mark, total, request } = await textAt(dialogs, caller, index, sessionId, signal)
  if (!mark) throw new Failure('out_of_range', `Index ${index} exceeds total requests (${total})`)
  if (request === undefined) throw noChatData()
  const answers = await dialogs.texts.questionTo(dialog, index, request)
  return Result.ok({
    sessionId: dialog.sessionId,
    request: bounded(request),
    ...(answers ? { answers } : {}),
    index,
    timestamp: mark.time ?? dialog.firstSeen,
    totalRequests: total,
    ...goneFile(dialog),
  })
}

export async function getFirstRequest(
  dialogs: Dialogs,
  caller: Caller,
  sessionId: string | undefined,
  signal: AbortSignal,
) {
  const fromSpace = await dialogs.fromSpace(caller, sessionId, signal)
  if (fromSpace) {
    const { firstFromSpace } = await import('./sharing/read-from-space.ts')
    return firstFromSpace(fromSpace)
  }
  const dialog = await dialogs.require(caller, sessionId, signal)
  if (!dialog.firstRequestPreview) throw new Failure('not_found', 'First request not available')
  const [first] = await dialogs.texts.marks(dialog)
  return Result.ok({
    sessionId: dialog.sessionId,
    firstRequest: dialog.firstRequestPreview,
    timestamp: first?.time ?? dialog.firstSeen,
    requestsCount: dialog.requestsCount,
  })
}

/** A file that vanished since the last look at the disk is looked for once more. */
async function textAt(
  dialogs: Dialogs,
  caller: Caller,
  index: number,
  sessionId: string | undefined,
  signal: AbortSignal,
) {
  const dialog = await dialogs.require(caller, sessionId, signal)
  const found = await dialogs.texts.requestAt(dialog, index)
  if (found.request !== undefined || dialog.chatJsonPath === undefined) return { dialog, ...found }
  dialogs.index.invalidate()
  const later = await dialogs.require(caller, dialog.sessionId, signal)
  return { dialog: later, ...(await dialogs.texts.requestAt(later, index)) }
}

export async function listRequests(
  dialogs: Dialogs,
  caller: Caller,
  page: { sessionId?: string; limit: number; offset: number },
  signal: AbortSignal,
) {
  const fromSpace = await dialogs.fromSpace(caller, page.sessionId, signal)
  if (fromSpace) {
    const { pageFromSpace } = await import('./sharing/read-from-space.ts')
    return pageFromSpace(fromSpace, page)
  }
  const dialog = await dialogs.require(caller, page.sessionId, signal)
  const marks = await dialogs.texts.marks(dialog)
  const end = page.offset + page.limit
  const requests: RequestPage['requests'] = []
  for (const [offset, { time, preview, title }] of marks.slice(page.offset, end).entries()) {
    const index = page.offset + offset + 1
    const answers = await dialogs.texts.questionBefore(dialog, marks, index)
    const timestamp = time ?? dialog.firstSeen
    requests.push({
      index,
      timestamp,
      preview,
      ...(title ? { title } : {}),
      ...(answers ? { answers } : {}),
    })
  }
  const more = end < marks.length ? `Call again with offset ${end}` : undefined
  return Result.ok<RequestPage>({
    sessionId: dialog.sessionId,
    requests,
    totalRequests: marks.length,
    ...goneFile(dialog),
    ...(more ? { more } : {}),
  })
}
