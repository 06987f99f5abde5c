import { basename, join } from 'node:path'
import type { Places } from '../places.ts'
import { entriesOf, filesBelow } from '../reading/files.ts'
import { type JsonObject, listOf, objectOf, textOf, timeOf } from '../reading/loose-json.ts'
import type { Entry, LineFormat } from '../reading/transcript.ts'
import type { Found, ReadContext, Source } from '../source.ts'
import { lineSource } from './line-source.ts'

/** `sessions/YYYY/MM/DD/rollout-*.jsonl`. */
export function codex({ home, codexHome }: Places): Source {
  const root = join(codexHome ?? join(home, '.codex'), 'sessions')
  return lineSource({
    name: 'codex',
    fits: (client) => /codex/i.test(client),
    list: (context) => rollouts(root, context),
    format,
  })
}

async function rollouts(root: string, context: ReadContext): Promise<Found[]> {
  const all: Found[] = []
  for (const year of await entriesOf(root, context)) {
    for (const month of await entriesOf(join(root, year), context))
      all.push(
        ...(await filesBelow(
          join(root, year, month),
          (name) => /^rollout-.*\.jsonl$/.test(name),
          context,
        )),
      )
  }
  return all
}

const format: LineFormat = {
  matters: (line) =>
    line.includes('"user_message"') ||
    line.includes('"session_meta"') ||
    line.includes('"turn_context"') ||
    line.includes('"task_complete"') ||
    line.includes('"turn_aborted"') ||
    line.includes('"user"'),
  isAnswer: (line) => line.includes('"agent_message"') || line.includes('"assistant"'),
  sessionIdOf: (path) =>
    /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i.exec(basename(path))?.[0] ??
    basename(path, '.jsonl'),
  interpret: (line) => interpret(objectOf(line)),
}

function interpret(line: JsonObject): Entry | undefined {
  const time = timeOf(line.timestamp)
  const payload = objectOf(line.payload)
  if (line.type === 'session_meta') return { time, ...aboutSession(payload) }
  if (line.type === 'turn_context')
    return { modelId: textOf(payload.model), project: textOf(payload.cwd) }
  if (line.type === 'event_msg') return { time, ...eventOf(payload) }
  // Before it had types of its own, a line was the item itself.
  if (line.type === 'response_item' || line.type === 'message')
    return { time, ...itemOf(line.type === 'message' ? line : payload) }
  return undefined
}

function aboutSession(meta: JsonObject): Entry {
  const helper = objectOf(meta.source).subagent === undefined ? undefined : true
  return {
    sessionId: textOf(meta.id),
    project: textOf(meta.cwd),
    agentId: textOf(meta.originator),
    helper,
  }
}

function eventOf(event: JsonObject): Entry {
  switch (event.type) {
    case 'user_message': {
      const request = typed(textOf(event.message))
      const isTyped = event.kind === undefined || event.kind === 'plain'
      return request && isTyped ? { request, status: 'in_progress' } : {}
    }
    case 'agent_message':
      return { answer: textOf(event.message) }
    case 'task_complete':
      return { status: 'completed', answer: textOf(event.last_agent_message) }
    case 'turn_aborted':
      return { status: 'canceled' }
    default:
      return {}
  }
}

function itemOf(item: JsonObject): Entry {
  if (item.type !== 'message') return {}
  const text = textOf(
    listOf(item.content)
      .map((part) => textOf(objectOf(part).text) ?? '')
      .join('\n'),
  )
  if (item.role === 'assistant') return { answer: text }
  const request = item.role === 'user' ? typed(text) : undefined
  const cwd = /<cwd>([^<]+)<\/cwd>/.exec(text ?? '')?.[1]
  return request ? { request, spare: true } : { project: cwd }
}

const NOT_TYPED =
  /^\s*(# AGENTS\.md|<environment_context>|<INSTRUCTIONS>|<user_instructions>|<turn_aborted>|<skill>|<subagent_notification>)/
const IDE_REQUEST = '## My request for Codex:'

/** The person's part: an editor puts what is open before it. */
function typed(text: string | undefined): string | undefined {
  if (text === undefined || NOT_TYPED.test(text)) return undefined
  const place = text.startsWith('# Context from my IDE setup:') ? text.indexOf(IDE_REQUEST) : -1
  return textOf(place === -1 ? text : text.slice(place + IDE_REQUEST.length).trim())
}
