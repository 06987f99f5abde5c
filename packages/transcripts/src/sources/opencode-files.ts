import { join } from 'node:path'
import { placeDeeds } from '../deeds/place-deeds.ts'
import { partDeeds } from '../deeds/readers/opencode.ts'
import type { Mark, Reading, ReadResult } from '../dialog.ts'
import { dataRoot, type Places } from '../places.ts'
import { projectPath } from '../project-path.ts'
import { documentBytes } from '../reading/document.ts'
import { entriesOf, fileAt, filesBelow } from '../reading/files.ts'
import { gatherTurns, type Said } from '../reading/gather-turns.ts'
import { type JsonObject, objectOf, parsedOr, textOf, timeOf } from '../reading/loose-json.ts'
import { markedText } from '../redacted-preview.ts'
import type { Found, ReadContext, Source } from '../source.ts'
import { interruptIn, keptOf, partsText } from './opencode-message.ts'

/** Older versions: `storage/session/<project>/<id>.json`, a file for each message and one for each part of it. */
export function opencodeFiles(places: Places): Source {
  const root = join(dataRoot(places), 'opencode', 'storage')
  return {
    name: 'opencode',
    roots: [join(root, 'session')],
    fits: (client) => /opencode/i.test(client),
    list: (context) => filesBelow(join(root, 'session'), (name) => name.endsWith('.json'), context),
    stat: (_key, path) => fileAt(path),
    read: (found, _known, context) => read(root, found, context),
    text: (_path, mark) => textOfMessage(root, mark.hint ?? ''),
    turns: (found, reading, context, wanted) =>
      gatherTurns(saidIn(root, found, reading, context), wanted),
  }
}

async function read(root: string, { path }: Found, context: ReadContext): Promise<ReadResult> {
  const session = await jsonFile(path)
  const id = textOf(session.id)
  if (id === undefined) throw new SyntaxError('no session')
  const marks: Mark[] = []
  const done: Parameters<typeof placeDeeds>[0][number][] = []
  // A session with a parent is an agent talking to itself.
  for (const message of session.parentID ? [] : await messagesOf(root, session, context)) {
    const hint = String(message.id)
    const text = message.role === 'user' ? await textOfMessage(root, hint) : undefined
    if (text)
      marks.push({
        at: -1,
        size: 0,
        hint,
        time: timeOf(objectOf(message.time).created),
        ...markedText(text),
      })
    else if (message.role === 'assistant') {
      const deeds = (await partsOf(root, hint)).flatMap(partDeeds)
      done.push({ at: marks.length - 1, deeds: [...deeds, ...interruptIn(message)] })
    }
  }
  const directory = textOf(session.directory)
  return {
    sessionId: id,
    project: directory && projectPath(directory),
    title: textOf(session.title),
    firstSeen: timeOf(objectOf(session.time).created),
    lastSeen: timeOf(objectOf(session.time).updated),
    status: 'completed',
    marks,
    offset: 0,
    deeds: placeDeeds(done, directory && projectPath(directory)),
  }
}

async function* saidIn(
  root: string,
  found: Found,
  reading: Reading,
  context: ReadContext,
): AsyncGenerator<Said> {
  const places = new Map(reading.marks.map(({ hint }, place) => [hint, place]))
  for (const message of await messagesOf(root, await jsonFile(found.path), context)) {
    const place = places.get(String(message.id))
    const text = await textOfMessage(root, String(message.id))
    if (place === undefined) yield { answer: text }
    else
      yield {
        position: place + 1,
        time: reading.marks[place]?.time ?? reading.firstSeen ?? found.mtimeMs,
        request: text ?? '',
      }
  }
}

async function messagesOf(
  root: string,
  { id, revert }: JsonObject,
  context: ReadContext,
): Promise<readonly JsonObject[]> {
  const folder = join(root, 'message', String(id))
  const names = (await entriesOf(folder, context)).filter((name) => name.endsWith('.json')).sort()
  const messages = await Promise.all(names.map((name) => jsonFile(join(folder, name))))
  return keptOf(messages, objectOf(revert), (message) => String(message.id))
}

async function textOfMessage(root: string, message: string): Promise<string | undefined> {
  return partsText(await partsOf(root, message))
}

async function partsOf(root: string, message: string): Promise<JsonObject[]> {
  const folder = join(root, 'part', message)
  const names = (await entriesOf(folder, { warn: () => {} })).sort()
  return Promise.all(names.map((name) => jsonFile(join(folder, name))))
}

async function jsonFile(path: string): Promise<JsonObject> {
  return objectOf(await documentBytes(path).then(parsedOr, () => undefined))
}
