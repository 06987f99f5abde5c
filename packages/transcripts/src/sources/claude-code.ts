import { basename, join } from 'node:path'
import { askedIn } from '../authorship.ts'
import { claudeDeeds } from '../deeds/readers/claude-code.ts'
import { agentFolders, type Places } from '../places.ts'
import { filesBelow } from '../reading/files.ts'
import { type JsonObject, listOf, objectOf, textOf, timeOf } from '../reading/loose-json.ts'
import { searchable } from '../reading/searchable.ts'
import type { Found, Source } from '../source.ts'
import type { Entry, LineFormat } from '../transcript.ts'
import { helperFiles, helperFormat, isHelperFile } from './claude-helpers.ts'
import { holdsResult, isFromPerson, mayHoldReply, ownText, replyIn } from './claude-text.ts'
import { claudeCleanupDays } from './cleanup-days.ts'
import { lineSource } from './line-source.ts'

/** `<config>/projects/<slug>/<session>.jsonl`; files named `agent-*` are an agent talking to itself. */
export function claudeCode(places: Places): Source {
  const config = agentFolders(places).claude
  const root = join(config, 'projects')
  const isSession = (name: string) => name.endsWith('.jsonl') && !name.startsWith('agent-')
  const sessions = lineSource({
    name: 'claude-code',
    roots: [root],
    cleanupDays: () => claudeCleanupDays(config),
    fits: (client) => /claude/i.test(client),
    list: async (context) => withoutCopies(await filesBelow(root, isSession, context)),
    format,
  })
  const helpers = lineSource({ ...sessions, format: helperFormat })
  return {
    ...sessions,
    list: async (context) => [
      ...(await sessions.list(context)),
      ...(await helperFiles(root, context)),
    ],
    read: (found, known, context) =>
      (isHelperFile(found.path) ? helpers : sessions).read(found, known, context),
  }
}

const DATED = /^\d{4}-\d\d-\d\d-(?=[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$)/i

/** A copy may have the day before its id: it is the same session. */
function sessionIdOf(path: string): string {
  return basename(path, '.jsonl').replace(DATED, '')
}

/** Of a session that is stored with the day before its id and without, the file that holds more. */
function withoutCopies(files: readonly Found[]): Found[] {
  const dated = files.filter(({ path }) => DATED.test(basename(path, '.jsonl')))
  const copied = new Set(dated.map(({ path }) => sessionIdOf(path)))
  const best = new Map<string, Found>()
  for (const found of files) {
    const known = best.get(sessionIdOf(found.path))
    if (!known || found.size > known.size) best.set(sessionIdOf(found.path), found)
  }
  return files.filter((found) => {
    const session = sessionIdOf(found.path)
    return !copied.has(session) || best.get(session) === found
  })
}

const format: LineFormat = {
  // A tool's result also comes under the user's name; it is the bulk of a transcript and seldom more than that.
  matters: (line) => matters(searchable(line), line),
  endsTurn,
  isAnswer: (line) => line.includes('"assistant"') && line.includes('"text"'),
  sessionIdOf,
  interpret: (line) => interpret(objectOf(line)),
  deeds: claudeDeeds,
}

function matters(line: Buffer | string, bytes: Buffer): boolean {
  if (!line.includes('"user"')) return isAbout(line)
  return !line.includes('"tool_use_id"') || mayHoldReply(bytes) || hasTextBlock(line)
}

/** Most answers have no `stop_reason`: a turn is over if nothing but noise follows the agent's words. */
function endsTurn(line: Buffer): boolean | undefined {
  if (line.includes('"tool_use"')) return false
  if (line.includes('"assistant"') && line.includes('"text"')) return true
  const isCommand = line.includes('<command-name>') || line.includes('<local-command-')
  return line.includes('"user"') && !isCommand ? false : undefined
}

function isAbout(line: Buffer | string): boolean {
  return (
    line.includes('"end_turn"') ||
    line.includes('"queued_command"') ||
    line.includes('"queue-operation"') ||
    line.includes('"summary"') ||
    line.includes('"turn_duration"') ||
    line.includes('"stop_hook_summary"') ||
    line.includes('-title"')
  )
}

/** The second copy of a result, which follows the message, is full of texts; inside strings the quotes are escaped. */
function hasTextBlock(line: Buffer | string): boolean {
  const text = line.indexOf('"text"')
  if (text === -1) return false
  const copy = line.indexOf('"toolUseResult"')
  return copy === -1 || text < copy
}

function interpret(line: JsonObject): Entry | undefined {
  if (line.isSidechain === true) return undefined
  const message = objectOf(line.message)
  const about = { time: timeOf(line.timestamp), project: textOf(line.cwd) }
  switch (line.type) {
    case 'summary':
      return { title: textOf(line.summary) }
    case 'custom-title':
      return { title: textOf(line.customTitle) }
    case 'ai-title':
      return { title: textOf(line.aiTitle) }
    case 'assistant':
      return { ...about, ...answerOf(message) }
    case 'queue-operation':
      return { time: about.time, ...queueEntry(line) }
    case 'system':
      return /^(turn_duration|stop_hook_summary)$/.test(String(line.subtype))
        ? { time: about.time, status: 'completed' }
        : undefined
    case 'attachment':
      return attached(about, line, objectOf(line.attachment))
    case 'user':
      return { ...about, ...said(line, message.content) }
    default:
      return undefined
  }
}

function said(line: JsonObject, content: unknown): Entry {
  if (
    !isFromPerson(line) ||
    line.isCompactSummary === true ||
    line.isVisibleInTranscriptOnly === true ||
    line.isVirtual === true
  )
    return {}
  const reply = replyIn(content, line.toolUseResult)
  if (reply) return { ...reply, status: 'in_progress' }
  return { ...requestOf(ownText(content), line), fromQueue: holdsResult(content) || undefined }
}

/** What was typed while the agent worked, as newer versions record it. */
function attached(about: Entry, line: JsonObject, attachment: JsonObject): Entry | undefined {
  if (attachment.type !== 'queued_command' || attachment.commandMode === 'task-notification')
    return undefined
  if (!isFromPerson(line) || !isFromPerson(attachment)) return undefined
  return { ...about, ...requestOf(ownText(attachment.prompt), line), fromQueue: true }
}

function requestOf(text: string | undefined, { uuid, parentUuid }: JsonObject): Entry {
  if (text?.startsWith('[Request interrupted')) return { status: 'canceled' }
  const request = text === undefined ? undefined : askedIn(text)
  if (request === undefined) return {}
  const before = uuid === undefined ? undefined : parentUuid === null ? 'root' : textOf(parentUuid)
  return { status: 'in_progress', request, id: before, rewindTo: before }
}

/** For a while nothing but the queue kept what was typed during a turn. Commands wait for its end and get a record. */
function queueEntry({ operation, content, reason }: JsonObject): Entry {
  const text = textOf(content)
  const isGiven = operation === 'remove' && (!reason || reason === 'absorbed_mid_turn')
  // All that waits goes back to where it was typed; the record has it in one text.
  if (operation === 'popAll') return { queue: 'dropped' }
  if (operation === 'remove') return { queue: isGiven ? 'given' : 'dropped', request: text }
  const waits = operation === 'enqueue' && text && askedIn(text) && !text.startsWith('/')
  return waits ? { queue: 'waits', request: text } : {}
}

function answerOf(message: JsonObject): Entry {
  const texts = listOf(message.content)
    .map(objectOf)
    .filter(({ type }) => type === 'text')
    .map(({ text }) => String(text ?? ''))
  return {
    answer: textOf(texts.join('\n').trim()),
    modelId: textOf(message.model),
    ...(message.stop_reason === 'end_turn' ? { status: 'completed' as const } : {}),
  }
}
