import { type JsonObject, listOf, objectOf, textOf } from '../../reading/loose-json.ts'
import { inputOf } from '../call-deeds.ts'
import type { DeedFacts } from '../deed.ts'
import { deedsOfDone } from '../done-call.ts'

/** Calls stand with their results in `toolCallStates`. Whether a command failed is often not told: then it stays unknown. */
export function historyDeeds({ toolCallStates }: JsonObject, time: number): DeedFacts[] {
  return listOf(toolCallStates)
    .map(objectOf)
    .flatMap(({ toolCallId, toolCall, parsedArgs, status, output: parts }) => {
      const { name, arguments: given } = objectOf(objectOf(toolCall).function)
      const input = parsedArgs === undefined ? inputOf(given) : objectOf(parsedArgs)
      const output = listOf(parts)
        .map((part) => textOf(objectOf(part).content) ?? '')
        .join('\n')
      const facts = { call: textOf(toolCallId), time }
      const failed = status !== 'done'
      const exit = failed ? {} : { exit: null }
      return deedsOfDone({ name: String(name), input, ...facts, failed, output, ...exit })
    })
}
