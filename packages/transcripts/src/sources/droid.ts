import { basename, join } from 'node:path'
import { droidDeeds } from '../deeds/readers/droid.ts'
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
