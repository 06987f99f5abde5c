import { basename, dirname, join } from 'node:path'
import { codexDeeds } from '../deeds/readers/codex.ts'
import { agentFolders, type Places } from '../places.ts'
import { entriesOf, filesBelow, filesIn } from '../reading/files.ts'
import { type JsonObject, listOf, objectOf, textOf, timeOf } from '../reading/loose-json.ts'
import type { Found, ReadContext, Source } from '../source.ts'
import type { Entry, LineFormat } from '../transcript.ts'
import { joinedThreads } from './codex-threads.ts'
import { lineSource } from './line-source.ts'

/** `sessions/YYYY/MM/DD/rollout-*.jsonl`; `codex archive` moves a file to `archived_sessions`. */
export function codex(places: Places): Source {
  const { codex: folder } = agentFolders(places)
  const root = join(folder, 'sessions')
  const archive = join(folder, 'archived_sessions')
  const threads = joinedThreads(
    lineSource({
      name: 'codex',
      roots: [root, archive],
      fits: (client) => /codex/i.test(client),
      list: async (context) => [
        ...(await rollouts(root, context)),
        ...(await filesIn(archive, isRollout, context)),
      ],
      format,
    }),
  )
  return { ...threads, isArchived: async (path) => dirname(path) === archive }
}

function isRollout(name: string): boolean {
  return /^rollout-.*\.jsonl$/.test(name)
}

async function rollouts(root: string, context: ReadContext): Promise<Found[]> {
  const all: Found[] = []
  for (const year of await entriesOf(root, context)) {
    for (const month of await entriesOf(join(root, year), context))
      all.push(...(await filesBelow(join(root, year, month), isRollout, context)))
  }
  return all
}

const format: LineFormat = {
  matters: (line) =>
    line.includes('"user_message"') ||
    line.includes('"UserMessage"') ||
    line.includes('"thread_goal_updated"') ||
    line.includes('"thread_rolled_back"') ||
    line.includes('"session_meta"') ||
    line.includes('"turn_context"') ||
    line.includes('"instructions"') ||
    line.includes('"task_complete"') ||
    line.includes('"turn_aborted"') ||
    line.includes('"user"'),
  isAnswer: (line) =>
    line.includes('"agent_message"') ||
    line.includes('"AgentMessage"') ||
    line.includes('"assistant"'),
  sessionIdOf: (path) =>
    /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i.exec(basename(path))?.[0] ??
    basename(path, '.jsonl'),
  interpret: (line) => interpret(objectOf(line)),
  deeds: codexDeeds,
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
  // The first line had no type then.
  return line.type === undefined ? { time, sessionId: textOf(line.id) } : undefined
}

function aboutSession(meta: JsonObject): Entry {
  const isHelper = objectOf(meta.source).subagent !== undefined || meta.thread_source === 'subagent'
  const { thread_id, end_byte_offset } = objectOf(meta.history_base)
  const thread = textOf(thread_id)
  return {
    sessionId: textOf(meta.id),
    project: textOf(meta.cwd),
    agentId: textOf(meta.originator),
    helper: isHelper || undefined,
    lead: isHelper ? leadOf(meta) : undefined,
    base: thread === undefined ? undefined : { thread, end: Number(end_byte_offset) || 0 },
  }
}

/** The thread that started a helper. */
function leadOf({ source, forked_from_id, parent_thread_id }: JsonObject): string | undefined {
  const { thread_spawn } = objectOf(objectOf(source).subagent)
  return (
    textOf(objectOf(thread_spawn).parent_thread_id) ??
    textOf(parent_thread_id) ??
    textOf(forked_from_id)
  )
}

function eventOf(event: JsonObject): Entry {
  switch (event.type) {
    case 'user_message': {
      const request = typed(textOf(event.message))
      const isTyped = event.kind === undefined || event.kind === 'plain'
      return request && isTyped ? { request, status: 'in_progress' } : {}
    }
    case 'item_completed':
      return completed(objectOf(event.item))
    case 'thread_goal_updated':
      return goalOf(objectOf(event.goal))
    case 'thread_rolled_back':
      return { takesBack: Number(event.num_turns) || 0 }
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

/** Newer versions write every message as an item that is done. */
function completed(item: JsonObject): Entry {
  if (item.type === 'AgentMessage') return { answer: textOf(partsOf(item).join('\n')) }
  const request = item.type === 'UserMessage' ? typed(typedParts(item)) : undefined
  return request ? { request, status: 'in_progress' } : {}
}

/** A goal is told again with every step towards it. */
function goalOf({ objective }: JsonObject): Entry {
  const request = textOf(objective)
  return request ? { request, repeats: 'words' } : {}
}

function itemOf(item: JsonObject): Entry {
  if (item.type !== 'message') return {}
  if (item.role === 'assistant') return { answer: textOf(partsOf(item).join('\n')) }
  const request = item.role === 'user' ? typed(typedParts(item)) : undefined
  const cwd = /<cwd>([^<]+)<\/cwd>/.exec(partsOf(item).join('\n'))?.[1]
  return request ? { request, spare: true } : { project: cwd }
}

function partsOf({ content }: JsonObject): string[] {
  return listOf(content).map((part) => textOf(objectOf(part).text) ?? '')
}

function typedParts(item: JsonObject): string | undefined {
  const parts = partsOf(item).filter((text) => text !== '' && !NOT_TYPED.test(text))
  return textOf(parts.join('\n'))
}

const NOT_TYPED =
  /^\s*(# AGENTS\.md|<(environment_context|INSTRUCTIONS|user_instructions|turn_aborted|skill|subagent_notification|user_shell_command|codex_internal_context|\/?image)\b)/
const IDE_REQUEST = '## My request for Codex:'

/** The person's part: an editor puts what is open before it. */
function typed(text: string | undefined): string | undefined {
  if (text === undefined || NOT_TYPED.test(text)) return undefined
  const place = text.startsWith('# Context from my IDE setup:') ? text.indexOf(IDE_REQUEST) : -1
  return textOf(place === -1 ? text : text.slice(place + IDE_REQUEST.length).trim())
}
