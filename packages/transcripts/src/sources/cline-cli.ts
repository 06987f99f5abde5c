import { basename, dirname, join } from 'node:path'
import type { DeedFacts } from '../deeds/deed.ts'
import { deedsOfDone } from '../deeds/done-call.ts'
import { agentFolders, type Places } from '../places.ts'
import { documentBytes } from '../reading/document.ts'
import { filesBelow } from '../reading/files.ts'
import {
  type JsonObject,
  listOf,
  objectIn,
  objectOf,
  parsedOr,
  textOf,
  timeOf,
} from '../reading/loose-json.ts'
import type { Found, Source } from '../source.ts'
import { documentSource, type Spoken } from './document-source.ts'

const SUFFIX = '.messages.json'
const TYPED = /^<user_input[^>]*>([\s\S]*)<\/user_input>\s*$/

/** `sessions/<session>/<session>.messages.json`, with `<session>.json` about it; helpers are `agent_*` beside them. */
export function clineCli(places: Places): Source {
  const root = join(agentFolders(places).cline, 'sessions')
  return documentSource({
    name: 'cline-cli',
    roots: [root],
    fits: (client) => /cline/i.test(client),
    list: (context) => filesBelow(root, (name) => name.endsWith(SUFFIX), context),
    key: 'messages',
    spoken,
    deeds(elements) {
      const results = resultsIn(elements.map(({ value }) => value))
      return elements.map(({ value, at }) => ({ at, deeds: messageDeeds(value, results) }))
    },
    about,
  })
}

async function about({ path }: Found, rest: JsonObject) {
  const origin = objectOf(rest.origin)
  const lead = textOf(origin.parentThreadId)
  const session = basename(dirname(path))
  const { cwd, metadata, started_at, ended_at, status, model } = objectOf(
    await documentBytes(join(dirname(path), `${session}.json`)).then(parsedOr, () => undefined),
  )
  return {
    sessionId: textOf(rest.sessionId) ?? basename(path, SUFFIX),
    project: textOf(cwd),
    title: textOf(objectOf(metadata).title),
    modelId: textOf(model),
    firstSeen: timeOf(started_at),
    lastSeen: timeOf(rest.updated_at) ?? timeOf(ended_at),
    status: STATUS[String(status)] ?? ('in_progress' as const),
    ...(lead ? { helper: true, lead, toldAt: helperBegan(path) } : {}),
  }
}

const STATUS: Readonly<Record<string, 'completed' | 'failed' | 'canceled'>> = {
  completed: 'completed',
  failed: 'failed',
  cancelled: 'canceled',
}

/** A helper's file is named after the time at which it was sent. */
function helperBegan(path: string): number | undefined {
  return timeOf(Number(/^agent_(\d+)_/.exec(basename(path))?.[1]))
}

/** What the person typed stands in a tag; what tools answer and the program adds does not. */
function spoken({ role, content, ts }: JsonObject): Spoken {
  const time = timeOf(ts)
  const texts = listOf(content)
    .map(objectOf)
    .flatMap(({ type, text }) => (type === 'text' ? (textOf(text) ?? []) : []))
  if (role === 'assistant') return { time, answer: textOf(texts.join('\n')) }
  const typed = texts.flatMap((text) => TYPED.exec(text)?.[1] ?? [])
  return { time, request: textOf(typed.join('\n')) }
}

/** A call in a message of the agent, and its result in one of the next: several commands have a result each. */
function messageDeeds(message: JsonObject, results: ReadonlyMap<string, unknown>): DeedFacts[] {
  const time = timeOf(message.ts)
  return listOf(message.content)
    .map(objectOf)
    .filter(({ type }) => type === 'tool_use')
    .flatMap(({ id, name, input }) => {
      const call = textOf(id)
      const ends = endsOf(results.get(call ?? ''))
      return callsIn(String(name), objectOf(input)).flatMap((one, place) => {
        const { result, error, success } = ends[place] ?? ends[0] ?? {}
        return deedsOfDone({
          ...one,
          call: place === 0 ? call : `${call}/${place}`,
          time,
          failed: success === false,
          output: textOf(result) ?? textOf(error) ?? '',
        })
      })
    })
}

function resultsIn(messages: readonly JsonObject[]): Map<string, unknown> {
  const blocks = messages.flatMap(({ content }) => listOf(content).map(objectOf))
  return new Map(
    blocks
      .filter(({ type }) => type === 'tool_result')
      .map(({ tool_use_id, content }) => [String(tool_use_id), content]),
  )
}

function endsOf(content: unknown): JsonObject[] {
  return Array.isArray(content) ? content.map(objectOf) : [objectIn(content)]
}

/** Its tools under the names that others gave them. */
function callsIn(name: string, input: JsonObject): { name: string; input: JsonObject }[] {
  if (name === 'run_commands')
    return listOf(input.commands).map((command) => ({
      name: 'bash',
      input: { command: textOf(command) ?? textOf(objectOf(command).command) },
    }))
  if (name === 'read_files')
    return listOf(input.files).map((file) => ({
      name: 'read',
      input: { path: textOf(file) ?? textOf(objectOf(file).path) },
    }))
  if (name === 'spawn_agent') return [{ name: 'agent', input: { prompt: input.task } }]
  if (name !== 'editor') return [{ name, input }]
  if (textOf(input.old_text) !== undefined || input.insert_line !== undefined)
    return [{ name: 'edit', input }]
  return [{ name: 'write', input: { ...input, content: input.new_text } }]
}
