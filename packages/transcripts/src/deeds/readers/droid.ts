import { type JsonObject, listOf, objectOf, textOf, timeOf } from '../../reading/loose-json.ts'
import { callBegun, callEnded } from '../call-events.ts'
import type { DeedEvent } from '../deed.ts'
import type { DeedFormat } from '../deed-format.ts'

/** Blocks `tool_use` and `tool_result`; a helper's session names the one that called it. */
export const droidDeeds: DeedFormat = {
  glance: (line) =>
    line.includes('"tool_use"') || line.includes('"tool_result"') || line.includes('"text"')
      ? 'parse'
      : [],
  read: (record) => read(objectOf(record)),
}

function read({ message, timestamp }: JsonObject): DeedEvent[] {
  const time = timeOf(timestamp)
  const { role, content } = objectOf(message)
  return listOf(content)
    .map(objectOf)
    .flatMap((block): DeedEvent[] => {
      const { type, id, name, input, tool_use_id, is_error, content: result } = block
      if (type === 'tool_use')
        return callBegun(String(name), objectOf(input), { call: textOf(id), time })
      if (type === 'tool_result')
        return callEnded(textOf(tool_use_id), {
          output: wordsOf(result),
          failed: is_error === true,
        })
      return type === 'text' && role === 'user' && time ? [{ instructedAt: time }] : []
    })
}

function wordsOf(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map((part) => textOf(objectOf(part).text) ?? '')
    .join('\n')
}
