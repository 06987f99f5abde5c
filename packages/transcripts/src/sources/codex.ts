import { basename, dirname, join } from 'node:path'
import { deedsOfCall, inputOf } from '../deeds/call-deeds.ts'
import { lastLines } from '../deeds/command-end.ts'
import type { Deed, DeedEvent, DeedFormat, Waiting } from '../deeds/deed.ts'
import { IN_ANOTHER_FILE } from '../deeds/deed-collector.ts'
import { exitIn, isStillRunning } from '../deeds/done-call.ts'
import { needsOutput } from '../deeds/runs/runs.ts'
import { type Base, type Mark, type Reading, requestsOf } from '../dialog.ts'
import { agentFolders, type Places } from '../places.ts'
import { entriesOf, filesBelow, filesIn } from '../reading/files.ts'
import { type JsonObject, listOf, objectOf, textOf, timeOf } from '../reading/loose-json.ts'
import type { BareTurn, Found, ReadContext, Source, TurnsWanted } from '../source.ts'
import type { Entry, LineFormat } from '../transcript.ts'
import { lineSource } from './line-source.ts'

const DEEPEST = 20

const UUID = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}'

const NAME = new RegExp(`(${UUID})(?:_(${UUID}))?\\.jsonl$`, 'i')

const CALL_ID = '"call_id":"'

const HEAD = 400

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

/** `function_call` and `custom_tool_call` items with their outputs. */
const codexDeeds: DeedFormat = { glance, read: (record) => read(objectOf(record)) }

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

function glance(line: Buffer, waiting: Waiting): 'parse' | readonly DeedEvent[] {
  if (line.includes('_call_output"')) return glanceAtOutput(line, waiting)
  return line.includes('"function_call"') ||
    line.includes('"custom_tool_call"') ||
    line.includes('"local_shell_call"') ||
    line.includes('"turn_aborted"') ||
    line.includes('"session_meta"')
    ? 'parse'
    : []
}

function glanceAtOutput(line: Buffer, waiting: Waiting): 'parse' | readonly DeedEvent[] {
  const found = line.indexOf(CALL_ID)
  if (found === -1) return 'parse'
  const start = found + CALL_ID.length
  const call = line.toString('latin1', start, line.indexOf('"', start))
  const begun = waiting.get(call)
  if (!begun) return []
  const isFine = /(?:exited with code|Exit code:|exit_code\\":) ?0\b/.test(
    line.toString('latin1', start, start + HEAD),
  )
  if (!isFine || begun.some(({ kind, runs }) => kind === 'commit' || needsOutput(runs)))
    return 'parse'
  return [{ ended: call, outcome: { exit: 0 } }]
}

function read(record: JsonObject): DeedEvent[] {
  const time = timeOf(record.timestamp)
  const item = objectOf(record.payload ?? record)
  const call = textOf(item.call_id)
  switch (item.type) {
    case 'function_call':
    case 'custom_tool_call':
    case 'local_shell_call': {
      const name = textOf(item.name) ?? 'local_shell'
      const input =
        item.type === 'custom_tool_call'
          ? { input: item.input }
          : inputOf(item.arguments ?? item.action)
      const deeds = deedsOfCall(name, input, { call, time })
      return deeds.map((begun) => ({ begun, waits: true }))
    }
    case 'function_call_output':
    case 'custom_tool_call_output':
      return call === undefined ? [] : [{ ended: call, outcome: outcomeOf(item.output) }]
    case 'turn_aborted':
      return [{ begun: { kind: 'interrupt', time } }]
    default:
      return record.type === 'session_meta' && time !== undefined ? [{ instructedAt: time }] : []
  }
}

/** A text, or the text of an object that holds one and the exit code. */
function outcomeOf(given: unknown) {
  const about = inputOf(given)
  const parts = listOf(given).map((part) => textOf(objectOf(part).text) ?? '')
  const output = textOf(about.output) ?? (parts.length > 0 ? parts.join('\n') : String(given ?? ''))
  const code = objectOf(about.metadata).exit_code
  const exit = typeof code === 'number' ? code : exitIn(output)
  const isRefused =
    exit === undefined && /^(?:error|failed|apply_patch verification failed)/i.test(output)
  return {
    output,
    ...(exit === undefined || isStillRunning(output) ? {} : { exit }),
    ...(isRefused ? { failed: true } : {}),
    ...(exit === 0 || exit === undefined ? {} : { tail: lastLines(output) }),
  }
}

/**
 * A fork and a rewind open a second file, which goes on from a part of the first. A rewound thread keeps its id, so only its
 * last file is a dialog; the others are read where that one goes on from them.
 */
function joinedThreads(files: Source): Source {
  return {
    ...files,
    list: async (context) => lastOfEach(await files.list(context)),
    async read(found, known, context) {
      const own = known && { ...known, marks: known.marks.filter(({ path }) => !path) }
      const reading = await files.read(found, own, context)
      if (!reading.base) return reading
      if (known?.base !== undefined && reading.isWhole === false) {
        const before = known.marks.filter(({ path }) => path)
        return { ...reading, marks: [...before, ...reading.marks] }
      }
      const before = await partBefore(files, reading.base, context)
      const deeds = [...elsewhere(before.deeds), ...(reading.deeds ?? [])]
      return { ...reading, marks: [...before.marks, ...reading.marks], deeds }
    },
    turns: (found, reading, context, wanted) => turns(files, found, reading, context, wanted),
  }
}

function lastOfEach(files: readonly Found[]): Found[] {
  const last = new Map<string, Found>()
  for (const file of files) {
    const thread = NAME.exec(file.path)?.[1] ?? file.path
    const other = last.get(thread)
    // A name begins with the time at which its file was opened.
    if (!other || basename(other.path) < basename(file.path)) last.set(thread, file)
  }
  return [...last.values()]
}

interface Part {
  readonly marks: Mark[]
  readonly deeds: Deed[]
}

/** What stands in the other file up to the seam; what follows there is marked, so that no answer is taken from it. */
async function partBefore(
  files: Source,
  { thread, end }: Base,
  context: ReadContext,
  depth = 0,
): Promise<Part> {
  const found = (await files.list(context)).find(({ path }) => {
    const [, id, segment] = NAME.exec(path) ?? []
    return (segment ?? id) === thread
  })
  if (!found || depth > DEEPEST) return { marks: [], deeds: [] }
  const { marks, base, deeds = [] } = await files.read(found, undefined, context)
  const own = marks.map((mark) => ({
    ...mark,
    path: found.path,
    hidden: mark.at >= end || mark.hidden,
  }))
  const done = deeds.filter(({ at }) => at < end)
  const earlier = base && (await partBefore(files, base, context, depth + 1))
  return {
    marks: [...(earlier?.marks ?? []), ...own],
    deeds: [...(earlier?.deeds ?? []), ...done],
  }
}

/** Their place in the other file says nothing in this one. */
function elsewhere(deeds: readonly Deed[]): Deed[] {
  return deeds.map((deed, place) => ({ ...deed, at: IN_ANOTHER_FILE - place, place: 0 }))
}

async function* turns(
  files: Source,
  found: Found,
  reading: Reading,
  context: ReadContext,
  wanted: TurnsWanted = {},
): AsyncGenerator<BareTurn> {
  const requests = new Set(requestsOf(reading))
  let before = 0
  for (const path of new Set(reading.marks.map((mark) => mark.path))) {
    const here = reading.marks.filter((mark) => mark.path === path)
    const counted = here.filter((mark) => requests.has(mark)).length
    const part = { ...reading, marks: here.filter((mark) => mark.hidden || requests.has(mark)) }
    const { from = 1, to = Number.POSITIVE_INFINITY } = wanted
    const shifted = { ...wanted, from: from - before, to: to - before }
    for await (const turn of files.turns(
      { ...found, path: path ?? found.path },
      part,
      context,
      shifted,
    ))
      yield { ...turn, position: turn.position + before }
    before += counted
  }
}
