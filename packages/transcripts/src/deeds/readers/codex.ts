import { type JsonObject, listOf, objectOf, textOf, timeOf } from '../../reading/loose-json.ts'
import { deedsOfCall, inputOf } from '../call-deeds.ts'
import type { DeedEvent } from '../deed.ts'
import type { DeedFormat, Waiting } from '../deed-format.ts'
import { exitIn, isStillRunning } from '../done-call.ts'
import { lastLines } from '../last-lines.ts'
import { needsOutput } from '../runs/runs.ts'

const CALL_ID = '"call_id":"'
const HEAD = 400

/** `function_call` and `custom_tool_call` items with their outputs. */
export const codexDeeds: DeedFormat = { glance, read: (record) => read(objectOf(record)) }

function glance(line: Buffer, waiting: Waiting): 'parse' | readonly DeedEvent[] {
  if (line.includes('_call_output"')) return glanceAtOutput(line, waiting)
  return line.includes('"function_call"') ||
    line.includes('"custom_tool_call"') ||
    line.includes('"local_shell_call"') ||
    line.includes('"turn_aborted"') ||
    line.includes('"session_meta"')
    ? 'parse'
    : []
}

function glanceAtOutput(line: Buffer, waiting: Waiting): 'parse' | readonly DeedEvent[] {
  const found = line.indexOf(CALL_ID)
  if (found === -1) return 'parse'
  const start = found + CALL_ID.length
  const call = line.toString('latin1', start, line.indexOf('"', start))
  const begun = waiting.get(call)
  if (!begun) return []
  const isFine = /(?:exited with code|Exit code:|exit_code\\":) ?0\b/.test(
    line.toString('latin1', start, start + HEAD),
  )
  if (!isFine || begun.some(({ kind, runs }) => kind === 'commit' || needsOutput(runs)))
    return 'parse'
  return [{ ended: call, outcome: { exit: 0 } }]
}

function read(record: JsonObject): DeedEvent[] {
  const time = timeOf(record.timestamp)
  const item = objectOf(record.payload ?? record)
  const call = textOf(item.call_id)
  switch (item.type) {
    case 'function_call':
    case 'custom_tool_call':
    case 'local_shell_call': {
      const name = textOf(item.name) ?? 'local_shell'
      const input =
        item.type === 'custom_tool_call'
          ? { input: item.input }
          : inputOf(item.arguments ?? item.action)
      const deeds = deedsOfCall(name, input, { call, time })
      return deeds.map((begun) => ({ begun, waits: true }))
    }
    case 'function_call_output':
    case 'custom_tool_call_output':
      return call === undefined ? [] : [{ ended: call, outcome: outcomeOf(item.output) }]
    case 'turn_aborted':
      return [{ begun: { kind: 'interrupt', time } }]
    default:
      return record.type === 'session_meta' && time !== undefined ? [{ instructedAt: time }] : []
  }
}

/** A text, or the text of an object that holds one and the exit code. */
function outcomeOf(given: unknown) {
  const about = inputOf(given)
  const parts = listOf(given).map((part) => textOf(objectOf(part).text) ?? '')
  const output = textOf(about.output) ?? (parts.length > 0 ? parts.join('\n') : String(given ?? ''))
  const code = objectOf(about.metadata).exit_code
  const exit = typeof code === 'number' ? code : exitIn(output)
  const isRefused =
    exit === undefined && /^(?:error|failed|apply_patch verification failed)/i.test(output)
  return {
    output,
    ...(exit === undefined || isStillRunning(output) ? {} : { exit }),
    ...(isRefused ? { failed: true } : {}),
    ...(exit === 0 || exit === undefined ? {} : { tail: lastLines(output) }),
  }
}
