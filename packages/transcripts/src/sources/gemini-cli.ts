import { basename, dirname, join } from 'node:path'
import { diffsInWhole } from '../deeds/diff-at.ts'
import { placeDeeds } from '../deeds/place-deeds.ts'
import { messageDeeds } from '../deeds/readers/gemini-cli.ts'
import type { Mark, ReadResult } from '../dialog.ts'
import { agentFolders, type Places } from '../places.ts'
import { projectPath } from '../project-path.ts'
import { documentBytes, splitDocument } from '../reading/document.ts'
import { entriesOf, filesBelow, filesIn } from '../reading/files.ts'
import { gatherTurns, type Said } from '../reading/gather-turns.ts'
import { bytesAt } from '../reading/lines.ts'
import { type JsonObject, objectOf, parsedOr, textOf, timeOf } from '../reading/loose-json.ts'
import { markedText } from '../redacted-preview.ts'
import type { Found, ReadContext, Source } from '../source.ts'
import { geminiCleanupDays } from './cleanup-days.ts'
import { geminiLines, messageEntry } from './gemini-message.ts'
import { lineSource } from './line-source.ts'

/**
 * `tmp/<hash or name of the project>/chats/session-*.json`, in newer versions `.jsonl`; helpers in `chats/<session>/*.jsonl`.
 */
export function geminiCli(places: Places): Source {
  const root = agentFolders(places).gemini
  const lines = lineSource({
    name: 'gemini-cli',
    roots: [join(root, 'tmp')],
    cleanupDays: () => geminiCleanupDays(root),
    fits: (client) => /gemini/i.test(client),
    list: async (context) => [
      ...(await filesBelow(join(root, 'tmp'), isSession, context, 'chats')),
      ...(await helperFiles(join(root, 'tmp'), context)),
    ],
    format: geminiLines,
  })
  return {
    ...lines,
    async read(found, known, context) {
      const reading = isLog(found.path)
        ? await lines.read(found, known, context)
        : await readDocument(found.path)
      const lead = leadOf(found.path)
      return {
        ...reading,
        project: await projectOf(root, found.path),
        ...(lead === undefined ? {} : { helper: true, lead }),
      }
    },
    text: (path, mark) => (isLog(path) ? lines.text(path, mark) : documentText(path, mark)),
    diffAt: async (path, deed) =>
      isLog(path)
        ? lines.diffAt?.(path, deed)
        : (await diffsInWhole(() => readDocument(path)))(deed),
    turns: (found, reading, context, wanted) =>
      isLog(found.path)
        ? lines.turns(found, reading, context, wanted)
        : gatherTurns(saidInDocument(found), wanted),
  }
}

const isLog = (path: string) => path.endsWith('.jsonl')
const isSession = (name: string) => /^session-.*\.jsonl?$/.test(name)

async function helperFiles(root: string, context: ReadContext): Promise<Found[]> {
  const projects = await entriesOf(root, context)
  const found = await Promise.all(
    projects.map(async (project) => {
      const chats = join(root, project, 'chats')
      const leads = (await entriesOf(chats, context)).filter((name) => !name.includes('.'))
      return Promise.all(leads.map((lead) => filesIn(join(chats, lead), isLog, context)))
    }),
  )
  return found.flat(2)
}

/** The session that a helper works for: its folder is named after it. */
function leadOf(path: string): string | undefined {
  const folder = dirname(path)
  return basename(folder) === 'chats' ? undefined : basename(folder)
}

async function readDocument(path: string): Promise<ReadResult> {
  const { rest, elements } = splitDocument(await documentBytes(path), ['messages'])
  const marks: Mark[] = []
  const done: Parameters<typeof placeDeeds>[0][number][] = []
  let status: ReadResult['status'] = 'pending'
  for (const { value, at, size } of elements()) {
    const entry = messageEntry(value)
    done.push({ at, deeds: messageDeeds(value) })
    status = entry.status ?? status
    if (entry.request !== undefined)
      marks.push({ at, size, time: entry.time, ...markedText(entry.request) })
  }
  return {
    sessionId: textOf(rest.sessionId) ?? basename(path, '.json'),
    title: textOf(rest.summary),
    firstSeen: timeOf(rest.startTime),
    lastSeen: timeOf(rest.lastUpdated),
    status,
    marks,
    offset: 0,
    deeds: placeDeeds(done, undefined),
  }
}

async function documentText(path: string, { at, size }: Mark): Promise<string | undefined> {
  const bytes = await bytesAt(path, at, size)
  return bytes && messageEntry(objectOf(parsedOr(bytes))).request
}

async function* saidInDocument(found: Found): AsyncGenerator<Said> {
  let position = 0
  for (const { value } of splitDocument(await documentBytes(found.path), ['messages']).elements()) {
    const { request, answer, time } = messageEntry(value)
    if (request === undefined) yield { answer }
    else yield { position: ++position, time: time ?? found.mtimeMs, request }
  }
}

/** The folder is named after the project or after its path's hash; a note inside, or the list of projects, says which path. */
async function projectOf(root: string, path: string): Promise<string> {
  const chats = leadOf(path) === undefined ? dirname(path) : dirname(dirname(path))
  const folder = dirname(chats)
  const name = basename(folder)
  const noted = await documentBytes(join(folder, '.project_root')).then(String, () => '')
  // Trimming takes a byte order mark away as well.
  if (noted.trim() !== '') return projectPath(noted.trim())
  const known = await documentBytes(join(root, 'projects.json')).then(parsedOr, () => undefined)
  const listed = Object.entries(objectOf(objectOf(known).projects) as JsonObject).find(
    ([, short]) => short === name,
  )
  if (listed) return projectPath(listed[0])
  return /^[\da-f]{64}$/.test(name) ? `sha256:${name}` : name
}
