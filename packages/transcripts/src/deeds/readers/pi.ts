import { type JsonObject, listOf, objectOf, textOf, timeOf } from '../../reading/loose-json.ts'
import { callBegun, callEnded } from '../call-events.ts'
import type { DeedEvent } from '../deed.ts'
import type { DeedFormat } from '../deed-format.ts'

/** Blocks `toolCall` in the agent's messages, results as messages of the role `toolResult`. */
export const piDeeds: DeedFormat = {
  glance: (line) => (line.includes('"toolCall"') || line.includes('"toolResult"') ? 'parse' : []),
  read: (record) => read(objectOf(record)),
}

function read({ message, timestamp }: JsonObject): DeedEvent[] {
  const { role, content, toolCallId, isError } = objectOf(message)
  const blocks = listOf(content).map(objectOf)
  if (role === 'toolResult')
    return callEnded(textOf(toolCallId), {
      output: blocks.map(({ text }) => textOf(text) ?? '').join('\n'),
      failed: isError === true,
    })
  const time = timeOf(timestamp)
  return blocks
    .filter(({ type }) => type === 'toolCall')
    .flatMap(({ id, name, arguments: given }) =>
      callBegun(String(name), objectOf(given), { call: textOf(id), time }),
    )
}
