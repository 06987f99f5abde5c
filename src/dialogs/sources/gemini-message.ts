import { basename } from 'node:path'
import { type JsonObject, listOf, objectOf, textOf, timeOf } from '../reading/loose-json.ts'
import type { Entry, LineFormat } from '../reading/transcript.ts'

/** Not typed: what a compression or the program itself puts under the person's name. */
const NOT_TYPED = /^\s*<(state_snapshot|session_context|system-reminder)>/

/** One message of Gemini CLI, in a document or on a line of its own. */
export function messageEntry(message: JsonObject): Entry {
  const text = contentText(message.displayContent) ?? contentText(message.content)
  const about = { time: timeOf(message.timestamp), id: textOf(message.id) }
  if (message.type === 'user')
    return text && !NOT_TYPED.test(text)
      ? { ...about, request: text, status: 'in_progress' }
      : about
  if (message.type === 'gemini')
    return {
      ...about,
      answer: text,
      modelId: textOf(message.model),
      status: text ? 'completed' : undefined,
    }
  return message.type === 'error' ? { ...about, status: 'failed' } : {}
}

/**
 * A log in which a later line with the same id replaces the earlier one. `$set` with messages replaces what the model sees, as after
 * a compression: what the person asked before stays asked, so those messages only add.
 */
export const geminiLines: LineFormat = {
  matters: (line) =>
    line.includes('"user"') ||
    line.includes('"gemini"') ||
    line.includes('"sessionId"') ||
    line.includes('"$') ||
    line.includes('"error"'),
  isAnswer: (line) => line.includes('"gemini"'),
  sessionIdOf: (path) => basename(path, '.jsonl'),
  interpret(line) {
    const value = objectOf(line)
    if (typeof value.$rewindTo === 'string') return { rewindTo: value.$rewindTo }
    if (value.$set === undefined && value.sessionId === undefined) return messageEntry(value)
    const about = value.$set === undefined ? value : objectOf(value.$set)
    return [
      aboutSession(about),
      ...listOf(about.messages).map((message) => messageEntry(objectOf(message))),
    ]
  },
}

function aboutSession(about: JsonObject): Entry {
  const helper = about.kind === 'subagent' ? true : undefined
  return {
    sessionId: textOf(about.sessionId),
    time: timeOf(about.startTime),
    title: textOf(about.summary),
    helper,
  }
}

function contentText(content: unknown): string | undefined {
  if (typeof content === 'string') return textOf(content)
  return textOf(
    [content]
      .flat()
      .map((part) => (typeof part === 'string' ? part : (textOf(objectOf(part).text) ?? '')))
      .join(''),
  )
}
