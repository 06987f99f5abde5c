import {
  type JsonObject,
  listOf,
  objectOf,
  parsedOr,
  textOf,
  timeOf,
} from '../../reading/loose-json.ts'
import { searchable } from '../../reading/searchable.ts'
import { deedsOfCall, isFile } from '../call-deeds.ts'
import { patchedLines } from '../changed-lines.ts'
import type { ChangedLines, DeedEvent, Outcome } from '../deed.ts'
import type { DeedFormat, Waiting } from '../deed-format.ts'
import { isStillRunning } from '../done-call.ts'
import { lastLines } from '../last-lines.ts'
import { needsOutput } from '../runs/runs.ts'
import { hasAny, isCompact } from './compact-line.ts'

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
const LONGEST_REFUSAL = 4000

/** Calls and results of Claude Code; a helper's stand in `progress` lines, or in a file of its own. */
export const claudeDeeds: DeedFormat = { glance, read: (record) => read(objectOf(record)) }

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
  if (first?.kind === 'read' && line.length > LONGEST_REFUSAL) return [{ ended: call, outcome: {} }]
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
