import { basename, join } from 'node:path'
import { askedIn } from '../authorship.ts'
import { deedsOfCall, isFile } from '../deeds/call-deeds.ts'
import { patchedLines } from '../deeds/changed-lines.ts'
import { lastLines } from '../deeds/command-end.ts'
import type { ChangedLines, DeedEvent, DeedFormat, Outcome, Waiting } from '../deeds/deed.ts'
import { isStillRunning } from '../deeds/done-call.ts'
import { needsOutput } from '../deeds/runs/runs.ts'
import { agentFolders, claudeCleanupDays, type Places } from '../places.ts'
import { entriesOf, filesBelow, filesIn } from '../reading/files.ts'
import { hasAny, isCompact } from '../reading/lines.ts'
import {
  type JsonObject,
  listOf,
  objectOf,
  parsedOr,
  textOf,
  timeOf,
} from '../reading/loose-json.ts'
import type { Found, ReadContext, Source } from '../source.ts'
import type { Entry, LineFormat } from '../transcript.ts'
import { lineSource } from './line-source.ts'

const SHORT = 2048

const CALL_ID = '"tool_use_id":"'

const PATCH = '"structuredPatch":['

const CALL = '"type":"tool_use"'

const TIME = '"timestamp":"'

/** Nothing in it is escaped, and nothing but where to look is asked. */
const LOOK =
  /\{"type":"tool_use","id":"([\w-]+)","name":"Read","input":\{"file_path":"([ !#-[\]-~]+)"(?:,"(?:offset|limit)":\d+)*\}/

const QUOTE = 34

const BRACKET = 93

/** In whatever spacing: what a record with a call, a result, an interruption or a helper's instruction has. */
const TELLING = ['"tool_use"', '"tool_result"', '[Request interrupted', '"isSidechain"']

const HEAD = 800

const MAX_REFUSAL = 4000

const LEADING_BLOCK = /^\s*<(system-reminder|ide_opened_file|ide_selection)>[\s\S]*?<\/\1>\s*/

const REMINDER_END = '</system-reminder>'

const REJECTED = "The user doesn't want to proceed with this tool use"

/** The program's words in the place of a comment: the person chose to talk about the questions first. */
const NO_COMMENT = /^\s*The user wants to clarify these questions/

/** What newer versions put behind the person's comment. */
const AFTER_COMMENT =
  /\n\s{0,20}\n\s{0,20}Note: The user's next message may contain a correction[\s\S]*$/

const ANSWERED = /^User has answered your questions?: /

const ANSWER_PAIR = /"((?:[^"\\]|\\.)*)"="((?:[^"\\]|\\.)*)"/g

/** Bytes at either end of a long record in which one of these sentences stands. */
const EDGE = 6000

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

/** Calls and results of Claude Code; a helper's stand in `progress` lines, or in a file of its own. */
export const claudeDeeds: DeedFormat = { glance, read: (record) => read(objectOf(record)) }

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

const REJECTED_BECAUSE = 'the user said:\n'

/** Whether a tool's result may hold words that the person typed, by its bytes alone. */
function mayHoldReply(line: Buffer): boolean {
  const ends =
    line.length <= 2 * EDGE ? [line] : [line.subarray(0, EDGE), line.subarray(line.length - EDGE)]
  return ends.some((part) => part.includes('user said:') || part.includes('User has answered'))
}

interface Reply {
  readonly request: string
  /** What the agent had asked. */
  readonly question?: string
}

/** The person's words in a tool's result: a comment on a rejected call, or answers to the agent's questions. */
function replyIn(content: unknown, toolUseResult: unknown): Reply | undefined {
  for (const block of listOf(content).map(objectOf)) {
    if (block.type !== 'tool_result') continue
    const output = resultText(block.content)
    const comment = output.startsWith(REJECTED) ? commentIn(output) : undefined
    if (comment !== undefined) return { request: comment }
    if (ANSWERED.test(output)) return answersIn(output, objectOf(toolUseResult))
  }
  return undefined
}

function commentIn(output: string): string | undefined {
  const at = output.indexOf(REJECTED_BECAUSE)
  if (at === -1) return undefined
  const comment = output.slice(at + REJECTED_BECAUSE.length).replace(AFTER_COMMENT, '')
  return NO_COMMENT.test(comment) || comment.trim() === '' ? undefined : comment
}

function answersIn(output: string, result: JsonObject): Reply | undefined {
  const recorded = Object.entries(objectOf(result.answers)).map(
    ([question, answer]) => [question, [answer].flat().join(', ')] as const,
  )
  const pairs =
    recorded.length > 0
      ? recorded
      : [...output.matchAll(ANSWER_PAIR)].map(
          ([, question = '', answer = '']) => [question, answer] as const,
        )
  const given = pairs.filter(([, answer]) => answer.trim() !== '')
  if (given.length === 0) return undefined
  const number = (text: string, index: number) =>
    given.length === 1 ? text : `${index + 1}. ${text}`
  return {
    request: given.map(([, answer], index) => number(answer.trim(), index)).join('\n'),
    question: given.map(([question], index) => number(question, index)).join(' '),
  }
}

function resultText(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map((part) => textOf(objectOf(part).text) ?? '')
    .join('\n')
}

/** The text of a record without what the program put around it. */
export function ownText(content: unknown): string | undefined {
  if (typeof content === 'string') return withoutBlocks(content)
  const blocks = listOf(content).map(objectOf)
  const texts = blocks
    .filter(({ type }) => type === 'text')
    .map(({ text }) => withoutBlocks(String(text ?? '')))
  const own = texts.filter((text) => text !== undefined).join('\n')
  if (own !== '') return own
  return !holdsResult(blocks) && blocks.some(({ type }) => type === 'image') ? '[image]' : undefined
}

function holdsResult(content: unknown): boolean {
  return listOf(content).some((block) => objectOf(block).type === 'tool_result')
}

function withoutBlocks(text: string): string | undefined {
  let rest = text
  for (let block = LEADING_BLOCK.exec(rest); block; block = LEADING_BLOCK.exec(rest))
    rest = rest.slice(block[0].length)
  if (rest.endsWith(REMINDER_END)) {
    const start = rest.lastIndexOf('<system-reminder>')
    if (start !== -1) rest = rest.slice(0, start).trimEnd()
  }
  return rest.trim() === '' ? undefined : rest
}

/** Newer versions say who sent a record; older ones say nothing. */
function isFromPerson({ origin, promptSource, isMeta }: JsonObject): boolean {
  const { kind } = objectOf(origin)
  return (kind === undefined || kind === 'human') && promptSource !== 'system' && isMeta !== true
}

const isHelperName = (name: string) => name.startsWith('agent-') && name.endsWith('.jsonl')

function isHelperFile(path: string): boolean {
  return isHelperName(basename(path))
}

/** `agent-*.jsonl` beside the sessions, in newer versions in `<session>/subagents`. */
async function helperFiles(root: string, context: ReadContext): Promise<Found[]> {
  const found: Found[][] = []
  for (const slug of await entriesOf(root, context)) {
    const names = await entriesOf(join(root, slug), context)
    if (names.some(isHelperName)) found.push(await filesIn(join(root, slug), isHelperName, context))
    const folders = names.filter((name) => !name.includes('.') && name !== 'memory')
    found.push(
      ...(await Promise.all(
        folders.map((name) => filesIn(join(root, slug, name, 'subagents'), isHelperName, context)),
      )),
    )
  }
  return found.flat()
}

/** A helper's transcript: nothing in it is a person's request; what it did belongs to its lead. */
const helperFormat: LineFormat = {
  matters: (line) =>
    line.includes('"parentUuid":null') || (!isCompact(line) && line.includes('"parentUuid"')),
  isAnswer: () => false,
  sessionIdOf: (path) => basename(path, '.jsonl'),
  interpret(line) {
    const { sessionId, cwd, timestamp } = objectOf(line)
    return {
      helper: true,
      lead: textOf(sessionId),
      project: textOf(cwd),
      time: timeOf(timestamp),
    }
  },
  deeds: claudeDeeds,
}

/** Long results are looked at as little as can be: they are most of a transcript's bytes. */
function glance(line: Buffer, waiting: Waiting): 'parse' | readonly DeedEvent[] {
  const text = searchable(line)
  if (!isCompact(line)) return hasAny(text, TELLING) ? 'parse' : []
  const result = text.indexOf(CALL_ID)
  if (result === -1) return lookIn(text) ?? (tells(text) ? 'parse' : [])
  const head = searchable(line.subarray(0, HEAD))
  if (head.includes('"type":"progress"')) return line.includes('"agent_progress"') ? 'parse' : []
  // With its keys in another order, only the whole record says what it is.
  if (!head.includes('"type":"user"')) return 'parse'
  const start = result + CALL_ID.length
  const call = line.toString('latin1', start, line.indexOf(QUOTE, start))
  const begun = waiting.get(call)
  if (!begun) return []
  // Several results in one record, a failure, a commit's number or an answer: its words are needed.
  if (text.indexOf(CALL_ID, start) !== -1) return 'parse'
  const [first] = begun
  if (first?.kind === 'read' && line.length > MAX_REFUSAL) return [{ ended: call, outcome: {} }]
  if (text.includes('"is_error":true')) return 'parse'
  if (begun.some(({ kind, runs }) => /^(question|commit|todo)$/.test(kind) || needsOutput(runs)))
    return 'parse'
  if (first?.kind === 'command' && text.includes('running in background with ID')) return 'parse'
  const isEdit = first?.kind === 'create' || first?.kind === 'change'
  const lines = isEdit ? patchIn(line) : undefined
  if (lines === 'unclear') return 'parse'
  const kind = first?.kind === 'create' && lines ? ({ kind: 'change' } as const) : {}
  const exit = first?.kind === 'command' ? { exit: 0 } : {}
  return [{ ended: call, outcome: { ...exit, ...kind, ...(lines ? { lines } : {}) } }]
}

/** A look at one file is the most common call by far; such a line is understood without being parsed. */
function lookIn(line: Buffer | string): DeedEvent[] | undefined {
  if (typeof line !== 'string' || !line.includes('"name":"Read"')) return undefined
  const [, id, path] = LOOK.exec(line) ?? []
  if (path === undefined || !line.includes('"role":"assistant"')) return undefined
  if (line.includes('"type":"progress"') || !isOnce(CALL, line) || !isOnce(TIME, line))
    return undefined
  const from = line.indexOf(TIME) + TIME.length
  const time = timeOf(line.slice(from, line.indexOf('"', from)))
  return isFile(path) ? [{ begun: { kind: 'read', path, call: id, time }, waits: true }] : []
}

function isOnce(part: string, line: string): boolean {
  const at = line.indexOf(part)
  return at !== -1 && at === line.lastIndexOf(part)
}

function tells(line: Buffer | string): boolean {
  return (
    line.includes(CALL) ||
    line.includes('[Request interrupted') ||
    (line.includes('"isSidechain":true') && line.includes('"role":"user"'))
  )
}

function read(record: JsonObject): DeedEvent[] {
  if (record.type === 'progress') {
    const { type, message } = objectOf(record.data)
    return type === 'agent_progress' ? read(objectOf(message)) : []
  }
  const time = timeOf(record.timestamp)
  const { content } = objectOf(record.message)
  const instructed =
    record.isSidechain === true && record.type === 'user' && time ? [{ instructedAt: time }] : []
  if (typeof content === 'string') return [...interruptIn(content, time), ...instructed]
  const blocks = listOf(content).map(objectOf)
  if (record.type === 'assistant')
    return blocks
      .filter(({ type }) => type === 'tool_use')
      .flatMap((block) => begun(block, time, textOf(record.cwd)))
  return blocks.flatMap((block): DeedEvent[] => {
    if (block.type === 'text') return [...interruptIn(String(block.text), time), ...instructed]
    return block.type === 'tool_result' ? ended(block, objectOf(record.toolUseResult)) : []
  })
}

function interruptIn(text: string, time: number | undefined): DeedEvent[] {
  return text.startsWith('[Request interrupted') ? [{ begun: { kind: 'interrupt', time } }] : []
}

function begun(
  { id, name, input }: JsonObject,
  time: number | undefined,
  cwd: string | undefined,
): DeedEvent[] {
  const deeds = deedsOfCall(String(name), objectOf(input), { call: textOf(id), time, cwd })
  return deeds.map((deed) => ({ begun: deed, waits: true }))
}

function ended(block: JsonObject, result: JsonObject): DeedEvent[] {
  const call = textOf(block.tool_use_id)
  if (call === undefined) return []
  const output = contentText(block.content)
  const isError = block.is_error === true
  const code = /^(?:Error: )?Exit code (\d+)/.exec(output)?.[1]
  const isRunning = isStillRunning(output) || textOf(result.backgroundTaskId) !== undefined
  const exit = code === undefined ? (isError || isRunning ? undefined : 0) : Number(code)
  const patch = listOf(result.structuredPatch)
  const outcome: Outcome = {
    output,
    ...(isError && code === undefined ? { failed: true } : {}),
    ...(exit === undefined ? {} : { exit }),
    ...(isError || exit === undefined ? { tail: lastLines(output) } : {}),
    ...(patch.length > 0 ? { lines: linesOfPatch(patch), kind: 'change' } : {}),
  }
  return [{ ended: call, outcome }]
}

/** Only the patch is taken out of a record that also repeats the whole file. */
function patchIn(line: Buffer): ChangedLines | 'unclear' | undefined {
  const start = line.indexOf(PATCH)
  if (start === -1 || line[start + PATCH.length] === BRACKET) return undefined
  const from = start + PATCH.length - 1
  const rest = line.indexOf('}],"', from)
  const value = rest === -1 ? undefined : parsedOr(line.subarray(from, rest + 2))
  return Array.isArray(value) && value.length > 0 ? linesOfPatch(value) : 'unclear'
}

function linesOfPatch(hunks: readonly unknown[]): ChangedLines {
  return patchedLines(hunks.flatMap((hunk) => listOf(objectOf(hunk).lines).map(String)))
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map((part) => textOf(objectOf(part).text) ?? '')
    .join('\n')
}

/** A line as it is searched for plain signs: for a short one, a few searches of bytes cost more than making it a text. */
function searchable(line: Buffer): Buffer | string {
  return line.length <= SHORT ? line.toString('latin1') : line
}
