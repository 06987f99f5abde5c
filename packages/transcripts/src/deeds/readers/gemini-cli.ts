import { type JsonObject, listOf, objectOf, textOf, timeOf } from '../../reading/loose-json.ts'
import { changedLines } from '../changed-lines.ts'
import type { DeedEvent, DeedFacts } from '../deed.ts'
import type { DeedFormat } from '../deed-format.ts'
import { deedsOfDone } from '../done-call.ts'

/** How the program itself notes that the person stopped it. */
const INTERRUPTED = 'Request cancelled.'

/** Calls stand in the message of the model, each with its result; a helper's file begins with when it was told. */
export const geminiDeeds: DeedFormat = {
  glance: (line) =>
    line.includes('"toolCalls"') || line.includes('"subagent"') || line.includes(`"${INTERRUPTED}"`)
      ? 'parse'
      : [],
  read: (record) => read(objectOf(record)),
}

function read(record: JsonObject): DeedEvent[] {
  const instructedAt = record.kind === 'subagent' ? timeOf(record.startTime) : undefined
  if (instructedAt !== undefined) return [{ instructedAt }]
  return messageDeeds(record).map((begun) => ({ begun }))
}

export function messageDeeds(message: JsonObject): DeedFacts[] {
  if (message.type === 'info' && message.content === INTERRUPTED)
    return [{ kind: 'interrupt', time: timeOf(message.timestamp) }]
  return listOf(message.toolCalls)
    .map(objectOf)
    .flatMap((call) => callDeeds(call, message.timestamp))
}

function callDeeds(call: JsonObject, at: unknown): DeedFacts[] {
  const { id, name, args, status, resultDisplay, timestamp } = call
  // What waits for the person's word is told again once it is done.
  if (status !== 'success' && status !== 'error' && status !== undefined) return []
  const display = objectOf(resultDisplay)
  const output = outputOf(call)
  const after = textOf(display.newContent)
  const before = typeof display.originalContent === 'string' ? display.originalContent : ''
  return deedsOfDone({
    name: String(name),
    input: objectOf(args),
    call: textOf(id),
    time: timeOf(timestamp) ?? timeOf(at),
    failed: status === 'error',
    output,
    ...(after === undefined ? {} : { lines: changedLines(before, after) }),
  })
}

function outputOf({ resultDisplay, result }: JsonObject): string {
  const [first] = listOf(result).map(objectOf)
  const response = objectOf(objectOf(objectOf(first).functionResponse).response)
  return textOf(response.output) ?? textOf(response.error) ?? textOf(resultDisplay) ?? ''
}
