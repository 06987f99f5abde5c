import { basename, dirname, join } from 'node:path'
import { changedLines } from '../deeds/changed-lines.ts'
import type { DeedEvent, DeedFacts, DeedFormat } from '../deeds/deed.ts'
import { placeDeeds } from '../deeds/deed-collector.ts'
import { diffsInWhole } from '../deeds/diff-at.ts'
import { deedsOfDone } from '../deeds/done-call.ts'
import type { Mark, ReadResult } from '../dialog.ts'
import { agentFolders, geminiCleanupDays, type Places } from '../places.ts'
import { projectPath } from '../project-path.ts'
import { documentBytes, splitDocument } from '../reading/document.ts'
import { entriesOf, filesBelow, filesIn } from '../reading/files.ts'
import { gatherTurns, type Said } from '../reading/gather-turns.ts'
import { bytesAt } from '../reading/lines.ts'
import {
  type JsonObject,
  listOf,
  objectOf,
  parsedOr,
  textOf,
  timeOf,
} from '../reading/loose-json.ts'
import { markedText } from '../redacted-preview.ts'
import type { Found, ReadContext, Source } from '../source.ts'
import type { Entry, LineFormat } from '../transcript.ts'
import { lineSource } from './line-source.ts'

/** Not typed: what a compression or the program itself puts under the person's name. */
const NOT_TYPED =
  /^\s*(<(state_snapshot|session_context|system-reminder)>|I ran the following shell command:\n```)/
const HOOK_CONTEXT = /(?<!\s)\s*<hook_context>(?:(?!<hook_context>)[\s\S])*?<\/hook_context>\s*/g
const REFERENCED = /^\s*--- Content from referenced files ---/
/** How the program answers the summary that it puts first after a compression. */
const TO_A_SUMMARY = 'Got it. Thanks for the additional context!'

/** How the program itself notes that the person stopped it. */
const INTERRUPTED = 'Request cancelled.'

/**
 * `tmp/<hash or name of the project>/chats/session-*.json`, in newer versions `.jsonl`; helpers in `chats/<session>/*.jsonl`.
 */
export function geminiCli(places: Places): Source {
  const root = agentFolders(places).gemini
  const lines = lineSource({
    name: 'gemini-cli',
    roots: [join(root, 'tmp')],
    cleanupDays: () => geminiCleanupDays(root),
    fits: (client) => /gemini/i.test(client),
    list: async (context) => [
      ...(await filesBelow(join(root, 'tmp'), isSession, context, 'chats')),
      ...(await helperFiles(join(root, 'tmp'), context)),
    ],
    format: geminiLines,
  })
  return {
    ...lines,
    async read(found, known, context) {
      const reading = isLog(found.path)
        ? await lines.read(found, known, context)
        : await readDocument(found.path)
      const lead = leadOf(found.path)
      return {
        ...reading,
        project: await projectOf(root, found.path),
        ...(lead === undefined ? {} : { helper: true, lead }),
      }
    },
    text: (path, mark) => (isLog(path) ? lines.text(path, mark) : documentText(path, mark)),
    diffAt: async (path, deed) =>
      isLog(path)
        ? lines.diffAt?.(path, deed)
        : (await diffsInWhole(() => readDocument(path)))(deed),
    turns: (found, reading, context, wanted) =>
      isLog(found.path)
        ? lines.turns(found, reading, context, wanted)
        : gatherTurns(saidInDocument(found), wanted),
  }
}

const isLog = (path: string) => path.endsWith('.jsonl')
const isSession = (name: string) => /^session-.*\.jsonl?$/.test(name)

async function helperFiles(root: string, context: ReadContext): Promise<Found[]> {
  const projects = await entriesOf(root, context)
  const found = await Promise.all(
    projects.map(async (project) => {
      const chats = join(root, project, 'chats')
      const leads = (await entriesOf(chats, context)).filter((name) => !name.includes('.'))
      return Promise.all(leads.map((lead) => filesIn(join(chats, lead), isLog, context)))
    }),
  )
  return found.flat(2)
}

/** The session that a helper works for: its folder is named after it. */
function leadOf(path: string): string | undefined {
  const folder = dirname(path)
  return basename(folder) === 'chats' ? undefined : basename(folder)
}

async function readDocument(path: string): Promise<ReadResult> {
  const { rest, elements } = splitDocument(await documentBytes(path), ['messages'])
  const marks: Mark[] = []
  const done: Parameters<typeof placeDeeds>[0][number][] = []
  let status: ReadResult['status'] = 'pending'
  for (const { value, at, size } of elements()) {
    const entry = messageEntry(value)
    done.push({ at, deeds: messageDeeds(value) })
    status = entry.status ?? status
    if (entry.request !== undefined)
      marks.push({ at, size, time: entry.time, ...markedText(entry.request) })
  }
  return {
    sessionId: textOf(rest.sessionId) ?? basename(path, '.json'),
    title: textOf(rest.summary),
    firstSeen: timeOf(rest.startTime),
    lastSeen: timeOf(rest.lastUpdated),
    status,
    marks,
    offset: 0,
    deeds: placeDeeds(done, undefined),
  }
}

async function documentText(path: string, { at, size }: Mark): Promise<string | undefined> {
  const bytes = await bytesAt(path, at, size)
  return bytes && messageEntry(objectOf(parsedOr(bytes))).request
}

async function* saidInDocument(found: Found): AsyncGenerator<Said> {
  let position = 0
  for (const { value } of splitDocument(await documentBytes(found.path), ['messages']).elements()) {
    const { request, answer, time } = messageEntry(value)
    if (request === undefined) yield { answer }
    else yield { position: ++position, time: time ?? found.mtimeMs, request }
  }
}

/** The folder is named after the project or after its path's hash; a note inside, or the list of projects, says which path. */
async function projectOf(root: string, path: string): Promise<string> {
  const chats = leadOf(path) === undefined ? dirname(path) : dirname(dirname(path))
  const folder = dirname(chats)
  const name = basename(folder)
  const noted = await documentBytes(join(folder, '.project_root')).then(String, () => '')
  // Trimming takes a byte order mark away as well.
  if (noted.trim() !== '') return projectPath(noted.trim())
  const known = await documentBytes(join(root, 'projects.json')).then(parsedOr, () => undefined)
  const listed = Object.entries(objectOf(objectOf(known).projects) as JsonObject).find(
    ([, short]) => short === name,
  )
  if (listed) return projectPath(listed[0])
  return /^[\da-f]{64}$/.test(name) ? `sha256:${name}` : name
}

/** Calls stand in the message of the model, each with its result; a helper's file begins with when it was told. */
export const geminiDeeds: DeedFormat = {
  glance: (line) =>
    line.includes('"toolCalls"') || line.includes('"subagent"') || line.includes(`"${INTERRUPTED}"`)
      ? 'parse'
      : [],
  read: (record) => read(objectOf(record)),
}

function read(record: JsonObject): DeedEvent[] {
  const instructedAt = record.kind === 'subagent' ? timeOf(record.startTime) : undefined
  if (instructedAt !== undefined) return [{ instructedAt }]
  return messageDeeds(record).map((begun) => ({ begun }))
}

function messageDeeds(message: JsonObject): DeedFacts[] {
  if (message.type === 'info' && message.content === INTERRUPTED)
    return [{ kind: 'interrupt', time: timeOf(message.timestamp) }]
  return listOf(message.toolCalls)
    .map(objectOf)
    .flatMap((call) => callDeeds(call, message.timestamp))
}

function callDeeds(call: JsonObject, at: unknown): DeedFacts[] {
  const { id, name, args, status, resultDisplay, timestamp } = call
  // What waits for the person's word is told again once it is done.
  if (status !== 'success' && status !== 'error' && status !== undefined) return []
  const display = objectOf(resultDisplay)
  const output = outputOf(call)
  const after = textOf(display.newContent)
  const before = typeof display.originalContent === 'string' ? display.originalContent : ''
  return deedsOfDone({
    name: String(name),
    input: objectOf(args),
    call: textOf(id),
    time: timeOf(timestamp) ?? timeOf(at),
    failed: status === 'error',
    output,
    ...(after === undefined ? {} : { lines: changedLines(before, after) }),
  })
}

function outputOf({ resultDisplay, result }: JsonObject): string {
  const [first] = listOf(result).map(objectOf)
  const response = objectOf(objectOf(objectOf(first).functionResponse).response)
  return textOf(response.output) ?? textOf(response.error) ?? textOf(resultDisplay) ?? ''
}

/** One message of Gemini CLI, in a document or on a line of its own. */
function messageEntry(message: JsonObject): Entry {
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
const geminiLines: LineFormat = {
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
    return [aboutSession(about), ...messageEntries(listOf(about.messages).map(objectOf))]
  },
}

/** What is told again comes under new ids, and consecutive requests come as parts of one. */
function messageEntries(messages: readonly JsonObject[]): Entry[] {
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
