import { basename, dirname, join } from 'node:path'
import { deedsOfCall, inputOf } from '../deeds/call-deeds.ts'
import { lastLines } from '../deeds/command-end.ts'
import type { DeedEvent, DeedFormat, Waiting } from '../deeds/deed.ts'
import { exitIn, isStillRunning } from '../deeds/done-call.ts'
import { agentFolders, type Places } from '../places.ts'
import { filesBelow, filesIn } from '../reading/files.ts'
import { type JsonObject, objectOf, textOf, timeOf } from '../reading/loose-json.ts'
import type { Source } from '../source.ts'
import type { Entry, LineFormat } from '../transcript.ts'
import { lineSource } from './line-source.ts'

const CALL_ID = '"toolCallId":"'

/** `session-state/<id>/events.jsonl`, in older versions `session-state/<id>.jsonl`. */
export function copilotCli(places: Places): Source {
  const root = join(agentFolders(places).copilot, 'session-state')
  return lineSource({
    name: 'copilot-cli',
    roots: [root],
    fits: (client) => /copilot/i.test(client) && !/visual studio code|vscode/i.test(client),
    list: async (context) => [
      ...(await filesBelow(root, (name) => name === 'events.jsonl', context)),
      ...(await filesIn(root, (name) => name.endsWith('.jsonl'), context)),
    ],
    format,
  })
}

/** `tool.execution_start` and `tool.execution_complete`. */
const copilotDeeds: DeedFormat = { glance, read: (record) => read(objectOf(record)) }

const format: LineFormat = {
  matters: (line) =>
    line.includes('"user.message"') ||
    line.includes('"session.') ||
    line.includes('"abort"') ||
    line.includes('"assistant.turn_end"'),
  isAnswer: (line) => line.includes('"assistant.message"'),
  deeds: copilotDeeds,
  sessionIdOf: (path) =>
    basename(path) === 'events.jsonl' ? basename(dirname(path)) : basename(path, '.jsonl'),
  interpret(line) {
    const { type, data, timestamp } = objectOf(line)
    return { time: timeOf(timestamp), ...entryOf(type, objectOf(data)) }
  },
}

/** Sources of messages that the program sends to itself under the person's name. */
const NOT_TYPED = /^(system|autopilot|skill|agent|hook)/

function entryOf(type: unknown, data: Readonly<Record<string, unknown>>): Entry {
  switch (type) {
    case 'session.start':
      return {
        sessionId: textOf(data.sessionId),
        project: textOf(objectOf(data.context).cwd),
        modelId: textOf(data.selectedModel),
        agentId: textOf(data.producer),
      }
    case 'session.model_change':
      return { modelId: textOf(data.newModel) }
    case 'session.title_changed':
      return { title: textOf(data.title) }
    case 'session.error':
      return { status: 'failed' }
    case 'abort':
      return { status: 'canceled' }
    case 'assistant.turn_end':
      return { status: 'completed' }
    case 'assistant.message':
      return { answer: textOf(data.content) }
    case 'user.message':
      return textOf(data.content) && !NOT_TYPED.test(String(data.source))
        ? { request: textOf(data.content), status: 'in_progress' }
        : {}
    default:
      return {}
  }
}

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
