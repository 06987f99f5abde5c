import { basename, join } from 'node:path'
import { changedLines } from '../deeds/changed-lines.ts'
import type { DeedEvent, DeedFormat } from '../deeds/deed.ts'
import { callBegun, callEnded } from '../deeds/done-call.ts'
import { agentFolders, type Places } from '../places.ts'
import { entriesOf, filesBelow } from '../reading/files.ts'
import { isCompact } from '../reading/lines.ts'
import { type JsonObject, listOf, objectOf, textOf, timeOf } from '../reading/loose-json.ts'
import type { Found, ReadContext, Source } from '../source.ts'
import type { Entry, LineFormat } from '../transcript.ts'
import { lineSource } from './line-source.ts'

const isLog = (name: string) => name.endsWith('.jsonl')

/** Of what the person types while a tool runs; other messages with a subtype are the program's. */
const WHILE_IT_WORKS = 'mid_turn_user_message'

/** `projects/<slug>/chats/<session>.jsonl`; helpers in `projects/<slug>/subagents/<session>/agent-*.jsonl`. */
export function qwenCode(places: Places): Source {
  const root = join(agentFolders(places).qwen, 'projects')
  return lineSource({
    name: 'qwen-code',
    roots: [root],
    fits: (client) => /qwen/i.test(client),
    list: async (context) => [
      ...(await filesBelow(root, isLog, context, 'chats')),
      ...(await helperFiles(root, context)),
    ],
    format,
  })
}

async function helperFiles(root: string, context: ReadContext): Promise<Found[]> {
  const slugs = await entriesOf(root, context)
  const found = await Promise.all(
    slugs.map((slug) => filesBelow(join(root, slug, 'subagents'), isLog, context)),
  )
  return found.flat()
}

/** Calls stand in the model's message, results in records of their own. */
const qwenDeeds: DeedFormat = {
  glance: (line) =>
    line.includes('"functionCall"') ||
    line.includes('"tool_result"') ||
    line.includes('"isSidechain":true') ||
    (!isCompact(line) && line.includes('"isSidechain"'))
      ? 'parse'
      : [],
  read: (record) => read(objectOf(record)),
}

const format: LineFormat = {
  matters: (line) => line.includes('"user"') || line.includes('"assistant"'),
  isAnswer: (line) => line.includes('"assistant"'),
  deeds: qwenDeeds,
  sessionIdOf: (path) => basename(path, '.jsonl'),
  interpret(line): Entry {
    const { type, provenance, subtype, timestamp, cwd, sessionId, message, model, isSidechain } =
      objectOf(line)
    const about = { time: timeOf(timestamp), project: textOf(cwd) }
    if (isSidechain === true) return { ...about, helper: true, lead: textOf(sessionId) }
    const text = wordsOf(objectOf(message).parts)
    if (type === 'assistant')
      return {
        ...about,
        modelId: textOf(model),
        answer: text,
        ...(text ? { status: 'completed' } : {}),
      }
    // Older versions do not say where a message came from.
    const isTyped =
      (provenance ?? 'real_user') === 'real_user' && (subtype ?? WHILE_IT_WORKS) === WHILE_IT_WORKS
    if (!isTyped || text === undefined) return about
    return { ...about, sessionId: textOf(sessionId), request: text, status: 'in_progress' }
  },
}

function wordsOf(parts: unknown): string | undefined {
  const texts = listOf(parts)
    .map(objectOf)
    .filter(({ thought }) => thought !== true)
    .map(({ text }) => textOf(text) ?? '')
  return textOf(texts.join(''))
}

function read(record: JsonObject): DeedEvent[] {
  const time = timeOf(record.timestamp)
  if (record.type === 'tool_result') {
    const result = objectOf(record.toolCallResult)
    const stopped: DeedEvent[] =
      result.status === 'cancelled' ? [{ begun: { kind: 'interrupt', time } }] : []
    return [...ended(result, record), ...stopped]
  }
  const parts = listOf(objectOf(record.message).parts).map(objectOf)
  if (record.type === 'user') return time === undefined ? [] : [{ instructedAt: time }]
  return parts.flatMap(({ functionCall }) => {
    const { id, name, args } = objectOf(functionCall)
    return name === undefined
      ? []
      : callBegun(String(name), objectOf(args), { call: textOf(id), time })
  })
}

function ended({ callId, status, resultDisplay }: JsonObject, record: JsonObject): DeedEvent[] {
  const display = objectOf(resultDisplay)
  const [part] = listOf(objectOf(record.message).parts).map(objectOf)
  const { output, error } = objectOf(objectOf(objectOf(part).functionResponse).response)
  const { exitCode, originalContent, newContent } = display
  const before = typeof originalContent === 'string' ? originalContent : ''
  return callEnded(textOf(callId), {
    output: textOf(output) ?? textOf(error) ?? '',
    failed: status === 'error' || status === 'cancelled',
    ...(typeof exitCode === 'number' ? { exit: exitCode } : {}),
    ...(typeof newContent === 'string' ? { lines: changedLines(before, newContent) } : {}),
  })
}
