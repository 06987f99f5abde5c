import { type JsonObject, listOf, objectOf, textOf, timeOf } from '../../reading/loose-json.ts'
import { callBegun, callEnded } from '../call-events.ts'
import { changedLines } from '../changed-lines.ts'
import type { DeedEvent } from '../deed.ts'
import type { DeedFormat } from '../deed-format.ts'
import { isCompact } from './compact-line.ts'

/** Calls stand in the model's message, results in records of their own. */
export const qwenDeeds: DeedFormat = {
  glance: (line) =>
    line.includes('"functionCall"') ||
    line.includes('"tool_result"') ||
    line.includes('"isSidechain":true') ||
    (!isCompact(line) && line.includes('"isSidechain"'))
      ? 'parse'
      : [],
  read: (record) => read(objectOf(record)),
}

function read(record: JsonObject): DeedEvent[] {
  const time = timeOf(record.timestamp)
  if (record.type === 'tool_result') {
    const result = objectOf(record.toolCallResult)
    const stopped: DeedEvent[] =
      result.status === 'cancelled' ? [{ begun: { kind: 'interrupt', time } }] : []
    return [...ended(result, record), ...stopped]
  }
  const parts = listOf(objectOf(record.message).parts).map(objectOf)
  if (record.type === 'user') return time === undefined ? [] : [{ instructedAt: time }]
  return parts.flatMap(({ functionCall }) => {
    const { id, name, args } = objectOf(functionCall)
    return name === undefined
      ? []
      : callBegun(String(name), objectOf(args), { call: textOf(id), time })
  })
}

function ended({ callId, status, resultDisplay }: JsonObject, record: JsonObject): DeedEvent[] {
  const display = objectOf(resultDisplay)
  const [part] = listOf(objectOf(record.message).parts).map(objectOf)
  const { output, error } = objectOf(objectOf(objectOf(part).functionResponse).response)
  const { exitCode, originalContent, newContent } = display
  const before = typeof originalContent === 'string' ? originalContent : ''
  return callEnded(textOf(callId), {
    output: textOf(output) ?? textOf(error) ?? '',
    failed: status === 'error' || status === 'cancelled',
    ...(typeof exitCode === 'number' ? { exit: exitCode } : {}),
    ...(typeof newContent === 'string' ? { lines: changedLines(before, newContent) } : {}),
  })
}
