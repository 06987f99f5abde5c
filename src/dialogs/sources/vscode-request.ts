import type { DialogStatus, Mark } from '../dialog.ts'
import { previewOf } from '../preview.ts'
import { type JsonObject, listOf, objectOf, textOf, timeOf } from '../reading/loose-json.ts'

/** Turns that VS Code keeps in a session and the person never typed. */
const HIDING = [
  'isSystemInitiated',
  'isHidden',
  'hiddenFromTranscript',
  'shouldBeRemovedOnSend',
] as const
const hiding: ReadonlySet<unknown> = new Set(HIDING)

/** `modelState.value`, by number. */
const STATES: readonly DialogStatus[] = [
  'in_progress',
  'completed',
  'canceled',
  'failed',
  'in_progress',
]

export function messageText(message: unknown): string {
  return typeof message === 'string'
    ? message
    : (textOf(objectOf(message).text) ?? partsText(message))
}

function partsText(message: unknown): string {
  return listOf(objectOf(message).parts)
    .map((part) => textOf(objectOf(part).text) ?? '')
    .join('')
}

export function markOf(request: JsonObject, at: number, size: number): Mark {
  return {
    at,
    size,
    time: timeOf(request.timestamp),
    preview: previewOf(messageText(request.message)),
    id: textOf(request.requestId),
    status: statusOf(request),
    hidden: HIDING.some((flag) => Boolean(request[flag])) || undefined,
  }
}

/** A field of a request was set later on. */
export function changedMark(
  mark: Mark,
  field: unknown,
  value: unknown,
  line: { at: number; size: number },
): Mark {
  if (field === 'message')
    return { ...mark, ...line, preview: previewOf(messageText(value)), hint: 'set' }
  if (hiding.has(field)) return { ...mark, hidden: Boolean(value) || undefined }
  if (field === 'timestamp') return { ...mark, time: timeOf(value) }
  if (field === 'modelState' || field === 'isCanceled' || field === 'result')
    return { ...mark, status: statusOf({ [field]: value }, mark.status) }
  return mark
}

/** The newer `modelState` decides; older exports tell by their errors and follow-ups. */
export function statusOf(request: JsonObject, before: DialogStatus = 'in_progress'): DialogStatus {
  const state = objectOf(request.modelState).value
  if (typeof state === 'number') return STATES[state] ?? 'in_progress'
  const { errorDetails } = objectOf(request.result)
  if (request.isCanceled === true || objectOf(errorDetails).code === 'canceled') return 'canceled'
  if (errorDetails) return 'failed'
  return Array.isArray(request.followups) ? 'completed' : before
}

/** The agent's words: markdown parts have a value and no kind. */
export function answerText(response: unknown): string | undefined {
  const parts = listOf(response).map(objectOf)
  const texts = parts
    .filter(({ kind, value }) => kind === undefined && typeof value === 'string')
    .map(({ value }) => String(value))
  return textOf(texts.join('').trim())
}
