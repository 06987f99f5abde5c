import { type JsonObject, listOf, objectOf, textOf, timeOf } from '../../reading/loose-json.ts'
import { callBegun, callEnded } from '../call-events.ts'
import type { DeedEvent } from '../deed.ts'
import type { DeedFormat } from '../deed-format.ts'

/** Events `tool.call` and `tool.result` of the loop. */
export const kimiDeeds: DeedFormat = {
  glance: (line) =>
    line.includes('"tool.call"') ||
    line.includes('"tool.result"') ||
    line.includes('"turn.prompt"') ||
    line.includes('"cancelled"')
      ? 'parse'
      : [],
  read: (record) => read(objectOf(record)),
}

function read({ type, event, reason, time: at }: JsonObject): DeedEvent[] {
  const time = timeOf(at)
  if (type === 'turn.ended' && reason === 'cancelled')
    return [{ begun: { kind: 'interrupt', time } }]
  if (type === 'turn.prompt') return time === undefined ? [] : [{ instructedAt: time }]
  const { type: kind, toolCallId, name, args, result } = objectOf(event)
  const call = textOf(toolCallId)
  if (kind === 'tool.call') return callBegun(String(name), objectOf(args), { call, time })
  if (kind !== 'tool.result') return []
  const { output, isError } = objectOf(result)
  const parts = listOf(output).map((part) => textOf(objectOf(part).text) ?? '')
  return callEnded(call, {
    output: typeof output === 'string' ? output : parts.join('\n'),
    failed: isError === true,
  })
}
