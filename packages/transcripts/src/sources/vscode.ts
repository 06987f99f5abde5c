import { join } from 'node:path'
import { placeDeeds } from '../deeds/place-deeds.ts'
import { type Mark, type Reading, type ReadResult, requestsOf } from '../dialog.ts'
import type { OpenForeign } from '../foreign-database.ts'
import { editorUserFolders, type Places } from '../places.ts'
import { documentBytes, splitDocument } from '../reading/document.ts'
import { entriesOf, fileAt, filesIn } from '../reading/files.ts'
import { cutAnswer, isWanted, LONGEST_ANSWER } from '../reading/gather-turns.ts'
import { bytesAt } from '../reading/lines.ts'
import { listOf, objectOf, parsedOr } from '../reading/loose-json.ts'
import type { BareTurn, Found, ReadContext, Source, TurnsWanted } from '../source.ts'
import { archivedChats } from './vscode-archived.ts'
import { sessionOfFile, withLiveChats } from './vscode-live.ts'
import { deedReader, readLog } from './vscode-log.ts'
import { changedOrNoted, projectOfChat } from './vscode-project.ts'
import { replayLog } from './vscode-replay.ts'
import { answerText, markOf, messageText } from './vscode-request.ts'
import { aboutSession, withAnswerer, withStatus } from './vscode-session.ts'

/** Copilot Chat in every editor built from VS Code. */
export function vscode(places: Places, open?: OpenForeign): Source {
  return vscodeIn(editorUserFolders(places), { here: places.project, open })
}

interface Options {
  readonly longestAnswer?: number
  /** The project of this process. */
  readonly here?: string
  /** Without it nobody knows which of them were archived. */
  readonly open?: OpenForeign
}

/** `.jsonl` mutation logs and older `.json` documents below the `User` folders of VS Code, and what it has in memory of them. */
export function vscodeIn(
  folders: readonly string[],
  { longestAnswer = LONGEST_ANSWER, here, open }: Options = {},
): Source {
  const project = (path: string) => projectOfChat(path, here)
  const files = chatFiles(folders, longestAnswer, project)
  const isArchived = open && archivedChats(open)
  return { ...withLiveChats(files, { users: folders, longestAnswer, project }), isArchived }
}

type ProjectOf = (path: string) => Promise<string | undefined>

function chatFiles(
  folders: readonly string[],
  longestAnswer: number,
  projectOf: ProjectOf,
): Source {
  return {
    name: 'vscode',
    roots: folders,
    fits: (client) =>
      /visual studio code|vscode|vscodium|code-server|copilot/i.test(client) &&
      !/cli|cursor/i.test(client),
    list: async (context) =>
      (await Promise.all(folders.map((folder) => sessionsIn(folder, context)))).flat(),
    stat: async (_key, path) => changedOrNoted(await fileAt(path)),
    read: async (found, known, context) => read(found, known, context, await projectOf(found.path)),
    text,
    turns: (found, reading, context, wanted) =>
      turns(found, reading, context, { longestAnswer, ...wanted }),
  }
}

async function sessionsIn(user: string, context: ReadContext): Promise<Found[]> {
  const workspaces = join(user, 'workspaceStorage')
  const chats = (await entriesOf(workspaces, context)).map((id) =>
    join(workspaces, id, 'chatSessions'),
  )
  chats.push(join(user, 'globalStorage', 'emptyWindowChatSessions'))
  const files = await Promise.all(chats.map((folder) => sessionFiles(folder, context)))
  return Promise.all(files.flat().map(changedOrNoted))
}

/** Where a session has both, the log replaced the document. */
async function sessionFiles(folder: string, context: ReadContext): Promise<Found[]> {
  const files = await filesIn(folder, (name) => /\.jsonl?$/.test(name), context)
  const paths = new Set(files.map(({ path }) => path))
  return files.filter(({ path }) => path.endsWith('.jsonl') || !paths.has(`${path}l`))
}

async function read(
  found: Found,
  known: Reading | undefined,
  context: ReadContext,
  project: string | undefined,
): Promise<ReadResult> {
  const sessionId = sessionOfFile(found.path)
  if (found.path.endsWith('.jsonl'))
    return { ...(await readLog(found, sessionId, known, context)), project }
  const partDeeds = await deedReader(context)
  const { rest, elements } = splitDocument(await documentBytes(found.path), ['requests'])
  let facts = aboutSession(rest, { sessionId })
  const marks: Mark[] = []
  const done: Parameters<typeof placeDeeds>[0][number][] = []
  for (const { value, at, size } of elements()) {
    const mark = markOf(value, at, size)
    marks.push(mark)
    const parts = listOf(value.response).map(objectOf)
    done.push({ at, deeds: parts.flatMap((part) => partDeeds(part, mark.time)) })
    facts = withAnswerer(facts, value)
  }
  return { ...withStatus(facts, marks), project, offset: 0, deeds: placeDeeds(done, project) }
}

async function text(path: string, mark: Mark): Promise<string | undefined> {
  const bytes = await bytesAt(path, mark.at, mark.size)
  const value = bytes && parsedOr(bytes)
  if (value === undefined) return undefined
  if (mark.hint === undefined) return messageText(objectOf(value).message)
  const { v } = objectOf(value)
  return messageText(mark.hint === 'request' ? objectOf(v).message : v)
}

/** Answers change until they are done, so the whole session is put together, within the bound of a document. */
async function* turns(
  found: Found,
  reading: Reading,
  context: ReadContext,
  wanted: TurnsWanted,
): AsyncGenerator<BareTurn> {
  const times = requestsOf(reading)
  const requests = found.path.endsWith('.jsonl')
    ? await replayLog(found.path, context)
    : [...splitDocument(await documentBytes(found.path), ['requests']).elements()].map(
        ({ value }) => value,
      )
  const shown = requests.filter((request) => !markOf(request, 0, 0).hidden)
  for (const [place, request] of shown.entries()) {
    if (!isWanted(place + 1, wanted)) continue
    yield {
      position: place + 1,
      time: times[place]?.time ?? reading.firstSeen ?? found.mtimeMs,
      request: messageText(request.message),
      ...cutAnswer(answerText(request.response), wanted),
    }
  }
}
