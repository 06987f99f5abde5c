import { basename, dirname, join } from 'node:path'
import { historyDeeds } from '../deeds/readers/continue.ts'
import { agentFolders, type Places } from '../places.ts'
import { documentBytes } from '../reading/document.ts'
import { filesIn } from '../reading/files.ts'
import { listOf, objectOf, parsedOr, textOf, timeOf } from '../reading/loose-json.ts'
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
