import { basename, dirname, join } from 'node:path'
import type { DeedEvent, DeedFormat } from '../deeds/deed.ts'
import { callBegun, callEnded } from '../deeds/done-call.ts'
import { agentFolders, type Places } from '../places.ts'
import { projectPath } from '../project-path.ts'
import { documentBytes } from '../reading/document.ts'
import { entriesOf, filesBelow } from '../reading/files.ts'
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

const MAIN = 'main'

/** `sessions/<folder>/<session>/agents/<agent>/wire.jsonl`; every agent but `main` is a helper. */
export function kimi(places: Places): Source {
  const root = join(agentFolders(places).kimi, 'sessions')
  const lines = lineSource({
    name: 'kimi',
    roots: [root],
    fits: (client) => /kimi/i.test(client),
    list: (context) => wireFiles(root, context),
    format,
  })
  return {
    ...lines,
    async read(found, known, context) {
      const { cwd, title, isCustomTitle } = await stateOf(found.path)
      const reading = await lines.read(found, known, context)
      return {
        ...reading,
        project: textOf(cwd) && projectPath(String(cwd)),
        title: isCustomTitle === true ? textOf(title) : reading.title,
        ...(agentOf(found.path) === MAIN
          ? {}
          : { helper: true, lead: basename(sessionFolder(found.path)) }),
      }
    },
  }
}

const agentOf = (path: string) => basename(dirname(path))

const sessionFolder = (path: string) => dirname(dirname(dirname(path)))

async function wireFiles(root: string, context: ReadContext): Promise<Found[]> {
  const folders = (await entriesOf(root, context)).filter((name) => !name.startsWith('.'))
  const found: Found[] = []
  for (const folder of folders)
    for (const session of await entriesOf(join(root, folder), context))
      found.push(
        ...(await filesBelow(
          join(root, folder, session, 'agents'),
          (name) => name === 'wire.jsonl',
          context,
        )),
      )
  return found
}

async function stateOf(path: string) {
  const file = join(sessionFolder(path), 'state.json')
  return objectOf(await documentBytes(file).then(parsedOr, () => undefined))
}

/** Events `tool.call` and `tool.result` of the loop. */
const kimiDeeds: DeedFormat = {
  glance: (line) =>
    line.includes('"tool.call"') ||
    line.includes('"tool.result"') ||
    line.includes('"turn.prompt"') ||
    line.includes('"cancelled"')
      ? 'parse'
      : [],
  read: (record) => read(objectOf(record)),
}

const format: LineFormat = {
  matters: (line) =>
    line.includes('"turn.') || line.includes('"profile.bind"') || line.includes('"metadata"'),
  isAnswer: (line) => line.includes('"content.part"'),
  deeds: kimiDeeds,
  sessionIdOf: (path) =>
    agentOf(path) === MAIN
      ? basename(sessionFolder(path))
      : `${basename(sessionFolder(path))}/${agentOf(path)}`,
  timeOf: (line) => objectOf(line).time,
  interpret(line): Entry {
    const { type, time: at, origin, input, event, modelAlias, reason } = objectOf(line)
    const time = timeOf(at)
    if (type === 'profile.bind') return { time, modelId: textOf(modelAlias) }
    if (type === 'turn.ended')
      return { time, status: reason === 'completed' ? 'completed' : 'canceled' }
    if (type === 'context.append_loop_event')
      return { time, answer: textOf(objectOf(objectOf(event).part).text) }
    const isTyped = /^turn\.(prompt|steer)$/.test(String(type)) && objectOf(origin).kind === 'user'
    const texts = listOf(input).map((part) => textOf(objectOf(part).text) ?? '')
    const request = isTyped ? textOf(texts.join('\n')) : undefined
    return request ? { time, request, status: 'in_progress' } : { time }
  },
}

function read({ type, event, reason, time: at }: JsonObject): DeedEvent[] {
  const time = timeOf(at)
  if (type === 'turn.ended' && reason === 'cancelled')
    return [{ begun: { kind: 'interrupt', time } }]
  if (type === 'turn.prompt') return time === undefined ? [] : [{ instructedAt: time }]
  const { type: kind, toolCallId, name, args, result } = objectOf(event)
  const call = textOf(toolCallId)
  if (kind === 'tool.call') return callBegun(String(name), objectOf(args), { call, time })
  if (kind !== 'tool.result') return []
  const { output, isError } = objectOf(result)
  const parts = listOf(output).map((part) => textOf(objectOf(part).text) ?? '')
  return callEnded(call, {
    output: typeof output === 'string' ? output : parts.join('\n'),
    failed: isError === true,
  })
}
