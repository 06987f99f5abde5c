import { basename, dirname, join } from 'node:path'
import { copilotDeeds } from '../deeds/readers/copilot-cli.ts'
import { agentFolders, type Places } from '../places.ts'
import { filesBelow, filesIn } from '../reading/files.ts'
import { objectOf, textOf, timeOf } from '../reading/loose-json.ts'
import type { Source } from '../source.ts'
import type { Entry, LineFormat } from '../transcript.ts'
import { lineSource } from './line-source.ts'

/** `session-state/<id>/events.jsonl`, in older versions `session-state/<id>.jsonl`. */
export function copilotCli(places: Places): Source {
  const root = join(agentFolders(places).copilot, 'session-state')
  return lineSource({
    name: 'copilot-cli',
    roots: [root],
    fits: (client) => /copilot/i.test(client) && !/visual studio code|vscode/i.test(client),
    list: async (context) => [
      ...(await filesBelow(root, (name) => name === 'events.jsonl', context)),
      ...(await filesIn(root, (name) => name.endsWith('.jsonl'), context)),
    ],
    format,
  })
}

const format: LineFormat = {
  matters: (line) =>
    line.includes('"user.message"') ||
    line.includes('"session.') ||
    line.includes('"abort"') ||
    line.includes('"assistant.turn_end"'),
  isAnswer: (line) => line.includes('"assistant.message"'),
  deeds: copilotDeeds,
  sessionIdOf: (path) =>
    basename(path) === 'events.jsonl' ? basename(dirname(path)) : basename(path, '.jsonl'),
  interpret(line) {
    const { type, data, timestamp } = objectOf(line)
    return { time: timeOf(timestamp), ...entryOf(type, objectOf(data)) }
  },
}

/** Sources of messages that the program sends to itself under the person's name. */
const NOT_TYPED = /^(system|autopilot|skill|agent|hook)/

function entryOf(type: unknown, data: Readonly<Record<string, unknown>>): Entry {
  switch (type) {
    case 'session.start':
      return {
        sessionId: textOf(data.sessionId),
        project: textOf(objectOf(data.context).cwd),
        modelId: textOf(data.selectedModel),
        agentId: textOf(data.producer),
      }
    case 'session.model_change':
      return { modelId: textOf(data.newModel) }
    case 'session.title_changed':
      return { title: textOf(data.title) }
    case 'session.error':
      return { status: 'failed' }
    case 'abort':
      return { status: 'canceled' }
    case 'assistant.turn_end':
      return { status: 'completed' }
    case 'assistant.message':
      return { answer: textOf(data.content) }
    case 'user.message':
      return textOf(data.content) && !NOT_TYPED.test(String(data.source))
        ? { request: textOf(data.content), status: 'in_progress' }
        : {}
    default:
      return {}
  }
}
