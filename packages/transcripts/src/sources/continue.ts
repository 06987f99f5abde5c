import { basename, dirname, join } from 'node:path'
import { inputOf } from '../deeds/call-deeds.ts'
import type { DeedFacts } from '../deeds/deed.ts'
import { deedsOfDone } from '../deeds/done-call.ts'
import { agentFolders, type Places } from '../places.ts'
import { documentBytes } from '../reading/document.ts'
import { filesIn } from '../reading/files.ts'
import {
  type JsonObject,
  listOf,
  objectOf,
  parsedOr,
  textOf,
  timeOf,
} from '../reading/loose-json.ts'
import type { Source } from '../source.ts'
import { documentSource } from './document-source.ts'

const LIST = 'sessions.json'
const UNTITLED = /^(untitled|new) session$/i

/** `sessions/<session>.json`: the history without times; a list beside it says when each began. */
export function continueCli(places: Places): Source {
  const root = join(agentFolders(places).continue, 'sessions')
  return documentSource({
    name: 'continue',
    roots: [root],
    fits: (client) => /continue/i.test(client),
    list: (context) => filesIn(root, (name) => name.endsWith('.json') && name !== LIST, context),
    key: 'history',
    spoken({ message }) {
      const { role, content } = objectOf(message)
      const text = wordsOf(content)
      return role === 'user' ? { request: text } : role === 'assistant' ? { answer: text } : {}
    },
    deeds: (elements, { mtimeMs }) =>
      elements.map(({ value, at }) => ({ at, deeds: historyDeeds(value, mtimeMs) })),
    async about({ path, mtimeMs }, rest) {
      const id = basename(path, '.json')
      const title = textOf(rest.title)
      return {
        sessionId: textOf(rest.sessionId) ?? id,
        project: textOf(rest.workspaceDirectory)?.replace(/^file:\/\//, ''),
        title: title && UNTITLED.test(title) ? undefined : title,
        firstSeen: await begunAt(dirname(path), id),
        lastSeen: mtimeMs,
        status: 'completed',
      }
    },
  })
}

async function begunAt(folder: string, id: string): Promise<number | undefined> {
  const all = await documentBytes(join(folder, LIST)).then(parsedOr, () => undefined)
  const found = listOf(all)
    .map(objectOf)
    .find(({ sessionId }) => sessionId === id)
  return timeOf(Number(found?.dateCreated))
}

function wordsOf(content: unknown): string | undefined {
  if (typeof content === 'string') return textOf(content)
  return textOf(
    listOf(content)
      .map((part) => textOf(objectOf(part).text) ?? '')
      .join('\n'),
  )
}

/** Calls stand with their results in `toolCallStates`. Whether a command failed is often not told: then it stays unknown. */
function historyDeeds({ toolCallStates }: JsonObject, time: number): DeedFacts[] {
  return listOf(toolCallStates)
    .map(objectOf)
    .flatMap(({ toolCallId, toolCall, parsedArgs, status, output: parts }) => {
      const { name, arguments: given } = objectOf(objectOf(toolCall).function)
      const input = parsedArgs === undefined ? inputOf(given) : objectOf(parsedArgs)
      const output = listOf(parts)
        .map((part) => textOf(objectOf(part).content) ?? '')
        .join('\n')
      const facts = { call: textOf(toolCallId), time }
      const failed = status !== 'done'
      const exit = failed ? {} : { exit: null }
      return deedsOfDone({ name: String(name), input, ...facts, failed, output, ...exit })
    })
}
