import { basename } from 'node:path'
import { geminiDeeds } from '../deeds/readers/gemini-cli.ts'
import { type JsonObject, listOf, objectOf, textOf, timeOf } from '../reading/loose-json.ts'
import type { Entry, LineFormat } from '../transcript.ts'

/** Not typed: what a compression or the program itself puts under the person's name. */
const NOT_TYPED =
  /^\s*(<(state_snapshot|session_context|system-reminder)>|I ran the following shell command:\n```)/
const HOOK_CONTEXT = /(?<!\s)\s*<hook_context>(?:(?!<hook_context>)[\s\S])*?<\/hook_context>\s*/g
const REFERENCED = /^\s*--- Content from referenced files ---/
/** How the program answers the summary that it puts first after a compression. */
const TO_A_SUMMARY = 'Got it. Thanks for the additional context!'

/** One message of Gemini CLI, in a document or on a line of its own. */
export function messageEntry(message: JsonObject): Entry {
  const text = typedText(contentParts(message.displayContent ?? message.content))
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
 * a compression: what the person asked before stays asked, so those messages only add what was not there.
 */
export const geminiLines: LineFormat = {
  matters: (line) =>
    line.includes('"user"') ||
    line.includes('"gemini"') ||
    line.includes('"sessionId"') ||
    line.includes('"$') ||
    line.includes('"error"'),
  isAnswer: (line) => line.includes('"gemini"'),
  deeds: geminiDeeds,
  sessionIdOf: (path) => basename(path, '.jsonl'),
  timeOf: (line) => timeOfLine(objectOf(line)),
  interpret(line) {
    const value = objectOf(line)
    if (typeof value.$rewindTo === 'string') return { rewindTo: value.$rewindTo }
    if (value.$set === undefined && value.sessionId === undefined) return messageEntry(value)
    const about = value.$set === undefined ? value : objectOf(value.$set)
    return [aboutSession(about), ...entriesOf(listOf(about.messages).map(objectOf))]
  },
}

/** What is told again comes under new ids, and consecutive requests come as parts of one. */
function entriesOf(messages: readonly JsonObject[]): Entry[] {
  return messages.map((message, place) => {
    const next = messages[place + 1]
    const isSummary = next?.type === 'gemini' && contentParts(next.content)[0] === TO_A_SUMMARY
    if (message.type !== 'user') return messageEntry(message)
    const isMerged = contentParts(message.content).length > 1
    return isSummary ? {} : { ...messageEntry(message), repeats: isMerged ? 'all' : 'words' }
  })
}

function timeOfLine({ timestamp, lastUpdated, $set }: JsonObject): unknown {
  const { messages, lastUpdated: updated } = objectOf($set)
  return timestamp ?? lastUpdated ?? updated ?? objectOf(listOf(messages).at(-1)).timestamp
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

/** Without what a hook adds and without the files that the words name. */
function typedText(parts: readonly string[]): string | undefined {
  const end = parts.findIndex((part) => REFERENCED.test(part))
  return textOf(
    parts
      .slice(0, end === -1 ? parts.length : end)
      .join('')
      .replace(HOOK_CONTEXT, ''),
  )
}

function contentParts(content: unknown): string[] {
  return [content]
    .flat()
    .map((part) => (typeof part === 'string' ? part : (textOf(objectOf(part).text) ?? '')))
    .filter((part) => part !== '')
}
