import { basename, join } from 'node:path'
import type { DeedEvent, DeedFormat } from '../deeds/deed.ts'
import { callBegun, callEnded } from '../deeds/done-call.ts'
import { agentFolders, type Places } from '../places.ts'
import { filesBelow } from '../reading/files.ts'
import { type JsonObject, listOf, objectOf, textOf, timeOf } from '../reading/loose-json.ts'
import type { Source } from '../source.ts'
import type { Entry, LineFormat } from '../transcript.ts'
import { lineSource } from './line-source.ts'

/** `sessions/<slug>/<time>_<session>.jsonl`. */
export function pi(places: Places): Source {
  const root = join(agentFolders(places).pi, 'sessions')
  return lineSource({
    name: 'pi',
    roots: [root],
    fits: (client) => /^pi\b/i.test(client),
    list: (context) => filesBelow(root, (name) => name.endsWith('.jsonl'), context),
    format,
  })
}

/** Blocks `toolCall` in the agent's messages, results as messages of the role `toolResult`. */
const piDeeds: DeedFormat = {
  glance: (line) => (line.includes('"toolCall"') || line.includes('"toolResult"') ? 'parse' : []),
  read: (record) => read(objectOf(record)),
}

const format: LineFormat = {
  matters: (line) =>
    line.includes('"user"') ||
    line.includes('"assistant"') ||
    line.includes('"session') ||
    line.includes('"model_change"'),
  isAnswer: (line) => line.includes('"assistant"'),
  deeds: piDeeds,
  sessionIdOf: (path) => basename(path, '.jsonl').split('_').at(-1) ?? '',
  interpret(line): Entry {
    const { type, id, cwd, timestamp, message, modelId, name } = objectOf(line)
    const time = timeOf(timestamp)
    if (type === 'session') return { time, sessionId: textOf(id), project: textOf(cwd) }
    if (type === 'model_change') return { modelId: textOf(modelId) }
    if (type === 'session_info') return { title: textOf(name) }
    const { role, content, stopReason } = objectOf(message)
    const text = wordsOf(content)
    if (role === 'user' && text) return { time, request: text, status: 'in_progress' }
    if (role !== 'assistant') return { time }
    return { time, answer: text, status: STATUS[String(stopReason)] }
  },
}

const STATUS: Readonly<Record<string, Entry['status']>> = {
  stop: 'completed',
  aborted: 'canceled',
  error: 'failed',
}

function wordsOf(content: unknown): string | undefined {
  if (typeof content === 'string') return textOf(content)
  const texts = listOf(content)
    .map(objectOf)
    .filter(({ type }) => type === 'text')
  return textOf(texts.map(({ text }) => textOf(text) ?? '').join(''))
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
