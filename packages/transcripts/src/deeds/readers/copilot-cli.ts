import { type JsonObject, objectOf, textOf, timeOf } from '../../reading/loose-json.ts'
import { deedsOfCall, inputOf } from '../call-deeds.ts'
import type { DeedEvent } from '../deed.ts'
import type { DeedFormat, Waiting } from '../deed-format.ts'
import { exitIn, isStillRunning } from '../done-call.ts'
import { lastLines } from '../last-lines.ts'

const CALL_ID = '"toolCallId":"'

/** `tool.execution_start` and `tool.execution_complete`. */
export const copilotDeeds: DeedFormat = { glance, read: (record) => read(objectOf(record)) }

function glance(line: Buffer, waiting: Waiting): 'parse' | readonly DeedEvent[] {
  if (line.includes('"tool.execution_start"') || line.includes('"abort"')) return 'parse'
  if (!line.includes('"tool.execution_complete"')) return []
  const found = line.indexOf(CALL_ID)
  if (found === -1) return 'parse'
  const start = found + CALL_ID.length
  const begun = waiting.get(line.toString('latin1', start, line.indexOf('"', start)))
  return begun ? 'parse' : []
}

function read({ type, data, timestamp }: JsonObject): DeedEvent[] {
  const time = timeOf(timestamp)
  const { toolCallId, toolName, arguments: given, success, result, error } = objectOf(data)
  const { exitCode } = objectOf(objectOf(data).shellExecution)
  const call = textOf(toolCallId)
  if (type === 'abort') return [{ begun: { kind: 'interrupt', time } }]
  if (type === 'tool.execution_start')
    return deedsOfCall(String(toolName), argumentsOf(given), { call, time }).map((begun) => ({
      begun,
      waits: true,
    }))
  if (type !== 'tool.execution_complete' || call === undefined) return []
  const output = textOf(objectOf(result).content) ?? textOf(objectOf(error).message) ?? ''
  const exit =
    typeof exitCode === 'number'
      ? exitCode
      : (exitIn(output) ?? (success === false ? undefined : 0))
  const outcome = {
    ...(success === false ? { failed: true } : {}),
    output,
    ...(exit === undefined || isStillRunning(output) ? {} : { exit }),
    ...(exit === 0 ? {} : { tail: lastLines(output) }),
  }
  return [{ ended: call, outcome }]
}

/** A patch comes as a bare text. */
function argumentsOf(given: unknown): JsonObject {
  return typeof given === 'string' && given.startsWith('*** Begin Patch')
    ? { input: given }
    : inputOf(given)
}
