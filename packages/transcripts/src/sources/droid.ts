import { basename, join } from 'node:path'
import type { DeedEvent, DeedFormat } from '../deeds/deed.ts'
import { callBegun, callEnded } from '../deeds/done-call.ts'
import { agentFolders, type Places } from '../places.ts'
import { filesBelow } from '../reading/files.ts'
import { type JsonObject, listOf, objectOf, textOf, timeOf } from '../reading/loose-json.ts'
import type { Source } from '../source.ts'
import type { Entry, LineFormat } from '../transcript.ts'
import { lineSource } from './line-source.ts'

/** `sessions/<slug>/<session>.jsonl`, helpers among them. */
export function droid(places: Places): Source {
  const root = join(agentFolders(places).factory, 'sessions')
  return lineSource({
    name: 'droid',
    roots: [root],
    fits: (client) => /droid|factory/i.test(client),
    list: (context) => filesBelow(root, (name) => name.endsWith('.jsonl'), context),
    format,
  })
}

/** What the program itself puts under the person's name. */
const NOT_TYPED = /^\s*<system-(reminder|notification)>/

/** Blocks `tool_use` and `tool_result`; a helper's session names the one that called it. */
const droidDeeds: DeedFormat = {
  glance: (line) =>
    line.includes('"tool_use"') || line.includes('"tool_result"') || line.includes('"text"')
      ? 'parse'
      : [],
  read: (record) => read(objectOf(record)),
}

const format: LineFormat = {
  matters: (line) =>
    line.includes('"session_start"') ||
    line.includes('"user"') ||
    line.includes('"agent_turn_outcome"'),
  isAnswer: (line) => line.includes('"assistant"'),
  deeds: droidDeeds,
  sessionIdOf: (path) => basename(path, '.jsonl'),
  interpret(line): Entry {
    const record = objectOf(line)
    const time = timeOf(record.timestamp)
    if (record.type === 'session_start') return aboutSession(record)
    if (record.type === 'agent_turn_outcome')
      return { status: record.reason === 'completed' ? 'completed' : 'canceled' }
    const { role, content, modelId } = objectOf(record.message)
    const text = wordsOf(content)
    if (role === 'assistant') return { time, answer: text, modelId: textOf(modelId) }
    if (text === undefined || String(record.id).startsWith('context-')) return { time }
    return { time, request: text, status: 'in_progress' }
  },
}

function aboutSession({ id, cwd, title, callingSessionId }: JsonObject): Entry {
  const lead = textOf(callingSessionId)
  return {
    sessionId: textOf(id),
    project: textOf(cwd),
    title: textOf(title),
    ...(lead ? { helper: true, lead } : {}),
  }
}

function wordsOf(content: unknown): string | undefined {
  if (typeof content === 'string') return textOf(content)
  const texts = listOf(content)
    .map(objectOf)
    .filter(({ type, text }) => type === 'text' && !NOT_TYPED.test(String(text)))
  return textOf(texts.map(({ text }) => textOf(text) ?? '').join('\n'))
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
          output: resultText(result),
          failed: is_error === true,
        })
      return type === 'text' && role === 'user' && time ? [{ instructedAt: time }] : []
    })
}

function resultText(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map((part) => textOf(objectOf(part).text) ?? '')
    .join('\n')
}
