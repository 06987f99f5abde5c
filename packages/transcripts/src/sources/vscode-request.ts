import type { DialogStatus, Mark } from '../dialog.ts'
import { type JsonObject, listOf, objectOf, textOf, timeOf } from '../reading/loose-json.ts'
import { markedText } from '../redacted-preview.ts'

/** Turns that VS Code keeps in a session and the person never typed. */
const HIDING = [
  'isSystemInitiated',
  'isHidden',
  'hiddenFromTranscript',
  'shouldBeRemovedOnSend',
] as const

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
    ...markedText(messageText(request.message)),
    id: textOf(request.requestId),
    status: statusOf(request),
    ...hiddenBy(HIDING.filter((flag) => hides(request[flag]))),
  }
}

/** A request of which only the later steps are withdrawn stays. */
function hides(value: unknown): boolean {
  return Boolean(value) && objectOf(value).afterUndoStop === undefined
}

function hiddenBy(flags: readonly string[]): Pick<Mark, 'hidden' | 'hiddenBy'> {
  return flags.length > 0
    ? { hidden: true, hiddenBy: flags }
    : { hidden: undefined, hiddenBy: undefined }
}

/** A field of a request was set later on. */
export function changedMark(
  mark: Mark,
  field: unknown,
  value: unknown,
  line: { at: number; size: number },
): Mark {
  if (field === 'message')
    return { ...mark, ...line, ...markedText(messageText(value)), hint: 'set' }
  const flag = HIDING.find((name) => name === field)
  if (flag) {
    const others = (mark.hiddenBy ?? []).filter((name) => name !== flag)
    return { ...mark, ...hiddenBy(hides(value) ? [...others, flag] : others) }
  }
  if (field === 'timestamp') return { ...mark, time: timeOf(value) }
  if (field === 'modelState' || field === 'isCanceled' || field === 'result')
    return { ...mark, status: statusOf({ [field]: value }, mark.status) }
  return mark
}

/** The newer `modelState` decides; older exports tell by their errors and follow-ups. */
function statusOf(request: JsonObject, before: DialogStatus = 'in_progress'): DialogStatus {
  const state = objectOf(request.modelState).value
  if (typeof state === 'number') return STATES[state] ?? 'in_progress'
  const { errorDetails } = objectOf(request.result)
  if (request.isCanceled === true || objectOf(errorDetails).code === 'canceled') return 'canceled'
  if (errorDetails) return 'failed'
  return Array.isArray(request.followups) ? 'completed' : before
}

/** The agent's words: markdown parts have a value and no kind; what they refer to goes by its name. */
export function answerText(response: unknown): string | undefined {
  if (typeof response === 'string') return textOf(response.trim())
  return textOf(listOf(response).map(partText).join('').trim())
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part
  const { kind, value, name, content, inlineReference } = objectOf(part)
  if (kind === undefined) return textOf(value) ?? ''
  if (kind === 'markdownContent' || kind === 'markdownVuln')
    return textOf(objectOf(content).value) ?? ''
  return kind === 'inlineReference' ? (textOf(name) ?? nameOf(objectOf(inlineReference))) : ''
}

/** Of a symbol its name, of a file or a place in one the file's. */
function nameOf({ name, uri, path, external }: JsonObject): string {
  const file = textOf(uri) ?? textOf(objectOf(uri).path) ?? textOf(path) ?? textOf(external) ?? ''
  const last = file.slice(file.lastIndexOf('/') + 1)
  try {
    return textOf(name) ?? decodeURIComponent(last)
  } catch {
    return last
  }
}
