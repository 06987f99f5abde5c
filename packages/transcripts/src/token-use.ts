import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { linesOf } from './reading/lines.ts'
import { type JsonObject, objectOf, parsedOr, textOf, timeOf } from './reading/loose-json.ts'
import type { ReadContext } from './source.ts'
import type { SourceName } from './source-names.ts'

/** What one answer of a model took, as the agent wrote it down. No token is counted in two of the fields. */
export interface TokenUse {
  /** The same wherever the answer is written down again; absent if the agent gives none. */
  readonly id?: string
  readonly at?: number
  readonly model?: string
  /** Sent to the model, without what it had in its cache. */
  readonly input: number
  /** With what it thought. */
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

interface Format {
  /** A line without these bytes says nothing of tokens, nor of the model. */
  readonly marks: readonly string[]
  /** One reader for each file: what an agent counts up is told apart from what went before. */
  reader(): (line: JsonObject) => TokenUse | undefined
}

const FORMATS: Partial<Record<SourceName, Format>> = {
  'claude-code': { marks: ['"usage"'], reader: () => fromClaude },
  codex: { marks: ['"token_count"', '"turn_context"'], reader: codexReader },
  'gemini-cli': { marks: ['"tokens"'], reader: () => fromGemini },
  'qwen-code': { marks: ['"usageMetadata"'], reader: () => fromQwen },
  pi: { marks: ['"usage"'], reader: () => fromPi },
}

/** Agents whose files say what they took. */
export function recordsTokens(source: SourceName): boolean {
  return FORMATS[source] !== undefined
}

/** What a dialog took, each answer once, in the order in which they were begun. */
export async function readTokenUse(
  source: SourceName,
  path: string,
  context: ReadContext,
): Promise<TokenUse[]> {
  const format = FORMATS[source]
  if (!format || !path.endsWith('.jsonl')) return []
  const uses = new Map<string, TokenUse>()
  const marks = format.marks.map((mark) => Buffer.from(mark))
  for (const file of [path, ...(await helpersOf(source, path))]) {
    const read = format.reader()
    for await (const lines of linesOf(file, 0, context))
      for (const { bytes, at } of lines) {
        if (!marks.some((mark) => bytes.includes(mark))) continue
        const use = read(objectOf(parsedOr(bytes)))
        if (!use) continue
        const key = use.id ?? `${file}:${at}`
        const before = uses.get(key)
        // An answer is written down piece by piece: what it took grows until the last.
        if (!before || use.output >= before.output) uses.set(key, use)
      }
  }
  return [...uses.values()]
}

/** What Claude Code's subagents said stands in files beside the dialog's own. */
async function helpersOf(source: SourceName, path: string): Promise<string[]> {
  if (source !== 'claude-code') return []
  const folder = join(dirname(path), basename(path, '.jsonl'), 'subagents')
  const names = await readdir(folder).catch((): string[] => [])
  return names.filter((name) => name.endsWith('.jsonl')).map((name) => join(folder, name))
}

function fromClaude({ type, message, requestId, timestamp }: JsonObject): TokenUse | undefined {
  const { id, model, usage } = objectOf(message)
  const of = objectOf(usage)
  // What the program wrote in the model's name took nothing.
  if (type !== 'assistant' || usage === undefined || model === '<synthetic>') return undefined
  const name = textOf(id)
  return {
    ...about(timestamp, model),
    ...(name ? { id: [name, textOf(requestId)].filter(Boolean).join(' ') } : {}),
    input: countOf(of.input_tokens),
    output: countOf(of.output_tokens),
    cacheRead: countOf(of.cache_read_input_tokens),
    cacheWrite: countOf(of.cache_creation_input_tokens),
  }
}

/** Codex counts up, and repeats the count whenever its limits change. */
function codexReader(): (line: JsonObject) => TokenUse | undefined {
  let model: unknown
  let before = { input: 0, cached: 0, output: 0 }
  return ({ type, payload, timestamp }) => {
    const of = objectOf(payload)
    if (type === 'turn_context') model = of.model ?? model
    if (type !== 'event_msg' || of.type !== 'token_count') return undefined
    const info = objectOf(of.info)
    if (info.total_token_usage === undefined) return undefined
    const total = codexCounts(info.total_token_usage)
    // After a rewind it begins again.
    const isGrown = total.input >= before.input && total.output >= before.output
    const last = isGrown
      ? {
          input: total.input - before.input,
          cached: Math.max(0, total.cached - before.cached),
          output: total.output - before.output,
        }
      : codexCounts(info.last_token_usage)
    before = total
    if (last.input + last.output === 0) return undefined
    return {
      ...about(timestamp, model),
      input: Math.max(0, last.input - last.cached),
      output: last.output,
      cacheRead: last.cached,
      cacheWrite: 0,
    }
  }
}

/** What came from the cache is part of the input, what was thought part of the output. */
function codexCounts(usage: unknown) {
  const of = objectOf(usage)
  return {
    input: countOf(of.input_tokens),
    cached: countOf(of.cached_input_tokens),
    output: countOf(of.output_tokens),
  }
}

function fromGemini({ id, tokens, model, timestamp }: JsonObject): TokenUse | undefined {
  if (tokens === undefined) return undefined
  const of = objectOf(tokens)
  const cacheRead = countOf(of.cached)
  return {
    ...about(timestamp, model),
    ...(textOf(id) ? { id: textOf(id) } : {}),
    input: Math.max(0, countOf(of.input) - cacheRead) + countOf(of.tool),
    output: countOf(of.output) + countOf(of.thoughts),
    cacheRead,
    cacheWrite: 0,
  }
}

function fromQwen({ uuid, usageMetadata, model, timestamp }: JsonObject): TokenUse | undefined {
  if (usageMetadata === undefined) return undefined
  const of = objectOf(usageMetadata)
  const cacheRead = countOf(of.cachedContentTokenCount)
  return {
    ...about(timestamp, model),
    ...(textOf(uuid) ? { id: textOf(uuid) } : {}),
    input: Math.max(0, countOf(of.promptTokenCount) - cacheRead),
    output: countOf(of.candidatesTokenCount) + countOf(of.thoughtsTokenCount),
    cacheRead,
    cacheWrite: 0,
  }
}

function fromPi({ id, message, timestamp }: JsonObject): TokenUse | undefined {
  const { usage, model } = objectOf(message)
  if (usage === undefined) return undefined
  const of = objectOf(usage)
  return {
    ...about(timestamp, model),
    ...(textOf(id) ? { id: textOf(id) } : {}),
    input: countOf(of.input),
    output: countOf(of.output),
    cacheRead: countOf(of.cacheRead),
    cacheWrite: countOf(of.cacheWrite),
  }
}

function about(timestamp: unknown, model: unknown): Pick<TokenUse, 'at' | 'model'> {
  const at = timeOf(timestamp)
  const name = textOf(model)
  return { ...(at === undefined ? {} : { at }), ...(name ? { model: name } : {}) }
}

function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0
}
