import { basename, dirname, join } from 'node:path'
import type { DeedFacts } from '../deeds/deed.ts'
import { placeDeeds } from '../deeds/deed-collector.ts'
import { deedsOfDone } from '../deeds/done-call.ts'
import { type Mark, type Reading, type ReadResult, requestsOf } from '../dialog.ts'
import { cursorUserFolder, editorUserFolders, type Places } from '../places.ts'
import { projectPath } from '../project-path.ts'
import { documentBytes, splitDocument } from '../reading/document.ts'
import { fileAt, filesBelow } from '../reading/files.ts'
import { gatherTurns, type Said } from '../reading/gather-turns.ts'
import { bytesAt } from '../reading/lines.ts'
import {
  type JsonObject,
  listOf,
  objectIn,
  objectOf,
  parsedOr,
  textOf,
  timeOf,
} from '../reading/loose-json.ts'
import { markedText } from '../redacted-preview.ts'
import type { Found, Source } from '../source.ts'

/** Cline and the extensions that grew from it share one layout. */
const EXTENSIONS = ['saoudrizwan.claude-dev', 'rooveterinaryinc.roo-cline', 'kilocode.kilo-code']
const HEAD = 1 << 18

/** `globalStorage/<extension>/tasks/<id>/ui_messages.json`: what the person saw and typed, as one list. */
export function cline(places: Places): Source {
  const users = [...editorUserFolders(places), cursorUserFolder(places)]
  const roots = users.flatMap((user) =>
    EXTENSIONS.map((extension) => join(user, 'globalStorage', extension, 'tasks')),
  )
  return {
    name: 'cline',
    roots,
    fits: (client) => /cline|roo/i.test(client),
    list: async (context) =>
      (
        await Promise.all(
          roots.map((root) => filesBelow(root, (name) => name === 'ui_messages.json', context)),
        )
      ).flat(),
    stat: (_key, path) => fileAt(path),
    read,
    async text(path, { at, size }) {
      const bytes = await bytesAt(path, at, size)
      return bytes && textOf(objectOf(parsedOr(bytes)).text)
    },
    turns: (found, reading, _context, wanted) => gatherTurns(saidIn(found, reading), wanted),
  }
}

async function read({ path }: Found): Promise<ReadResult> {
  const json = await documentBytes(path)
  const marks: Mark[] = []
  const messages: { value: JsonObject; at: number }[] = []
  let last: JsonObject = {}
  for (const { value, at, size } of splitDocument(json, []).elements()) {
    messages.push({ value, at })
    if (isRequest(value, marks.length === 0))
      marks.push({ at, size, time: timeOf(value.ts), ...markedText(String(value.text)) })
    last = value
  }
  const finished =
    last.say === 'completion_result' ||
    /completion_result|resume_completed_task/.test(String(last.ask))
  return {
    sessionId: basename(dirname(path)),
    project: await projectOf(path, json),
    agentId: basename(dirname(dirname(dirname(path)))),
    firstSeen: marks[0]?.time,
    lastSeen: timeOf(last.ts),
    status: finished ? 'completed' : 'in_progress',
    marks,
    offset: 0,
    deeds: placeDeeds(deedsOf(messages), undefined),
  }
}

/** The output of a command follows it, in as many messages as it came. */
function deedsOf(messages: readonly { value: JsonObject; at: number }[]) {
  const kindOf = ({ say, ask }: JsonObject) => say ?? ask
  return messages.map(({ value, at }, place) => {
    const rest = messages.slice(place + 1)
    const end = rest.findIndex((one) => kindOf(one.value) !== 'command_output')
    const output =
      kindOf(value) === 'command'
        ? rest.slice(0, end === -1 ? rest.length : end).map((one) => textOf(one.value.text) ?? '')
        : []
    return { at, deeds: messageDeeds(value, output.join('\n')) }
  })
}

/** The task itself comes first, as a text that the extension says; later words are feedback. */
function isRequest({ type, say, text }: JsonObject, isFirst: boolean): boolean {
  if (type !== 'say' || textOf(text) === undefined) return false
  return say === 'user_feedback' || say === 'task' || (isFirst && say === 'text')
}

async function* saidIn(found: Found, reading: Reading): AsyncGenerator<Said> {
  const places = new Map(requestsOf(reading).map(({ at }, place) => [at, place]))
  for (const { value, at } of splitDocument(await documentBytes(found.path), []).elements()) {
    const place = places.get(at)
    const text = textOf(value.text)
    if (place !== undefined)
      yield { position: place + 1, time: timeOf(value.ts) ?? found.mtimeMs, request: text ?? '' }
    else if (value.say === 'text' || value.say === 'completion_result') yield { answer: text }
  }
}

/** Newer versions note the folder beside the task; in the others it stands in what was sent with the first request. */
async function projectOf(path: string, json: Buffer): Promise<string | undefined> {
  const task = dirname(path)
  const note = objectOf(
    await documentBytes(join(task, 'history_item.json')).then(parsedOr, () => undefined),
  )
  const tasks = await documentBytes(join(dirname(dirname(task)), 'state', 'taskHistory.json')).then(
    parsedOr,
    () => undefined,
  )
  const listed = listOf(tasks)
    .map(objectOf)
    .find(({ id }) => id === basename(task))
  const said = /Current (?:Working|Workspace) Directory \((.{1,1000}?)\) Files/.exec(
    json.toString('utf8', 0, HEAD),
  )?.[1]
  const folder =
    textOf(note.workspace) ?? textOf(listed?.cwdOnTaskInitialization) ?? said?.replace(/\\+/g, '\\')
  return folder && projectPath(folder)
}

/** Messages of kind `tool` hold JSON, those of kind `command` the command; its output follows in messages of its own. */
function messageDeeds(message: JsonObject, output = ''): DeedFacts[] {
  const kind = message.say ?? message.ask
  const text = textOf(message.text)
  const time = timeOf(message.ts)
  if (text === undefined || message.partial === true) return []
  if (kind === 'command')
    return deedsOfDone({
      name: 'execute_command',
      input: { command: text.replace(/REQ_APP$/, '') },
      time,
      output,
    })
  if (kind === 'followup')
    return deedsOfDone({
      name: 'question',
      input: { question: textOf(objectIn(text).question) ?? text },
      time,
    })
  if (kind !== 'tool') return []
  const { tool, ...input } = objectIn(text)
  // In the older form `content` of an edit is its diff.
  const diff =
    tool === 'editedExistingFile' || tool === 'appliedDiff'
      ? (input.diff ?? input.content)
      : undefined
  const name = tool === 'appliedDiff' ? 'apply_diff' : String(tool)
  return deedsOfDone({ name, input: { ...input, ...(diff ? { diff } : {}) }, time })
}
