import { type JsonObject, objectOf, textOf, timeOf } from '../../reading/loose-json.ts'
import { inputOf } from '../call-deeds.ts'
import type { DeedFacts } from '../deed.ts'
import { deedsOfDone } from '../done-call.ts'

/** A bubble of the agent keeps its call in `toolFormerData`, arguments and result as texts of JSON. */
export function bubbleDeeds(bubble: JsonObject): DeedFacts[] {
  const { name, params, rawArgs, result, status, toolCallId } = objectOf(bubble.toolFormerData)
  if (textOf(name) === undefined || (status !== 'completed' && status !== 'error')) return []
  const outcome = inputOf(result)
  const exit = outcome.exitCodeV2 ?? outcome.exitCode
  return deedsOfDone({
    name: String(name),
    input: { ...inputOf(params), ...inputOf(rawArgs) },
    call: textOf(toolCallId),
    time: timeOf(bubble.createdAt),
    failed: status === 'error',
    output: textOf(outcome.output) ?? '',
    ...(typeof exit === 'number' ? { exit } : {}),
  })
}
