import {
  type CancellationToken,
  type ChatRequest,
  type ChatResponseStream,
  l10n,
  MarkdownString,
} from 'vscode'
import type { Companions } from '../server/companions.ts'
import type { DialogSessionsServiceImpl } from '../sessions/dialog-sessions-service.ts'
import { sessionOfToken } from '../sessions/session-of-token.ts'
import { ago, oneLine } from '../views/wording.ts'

const OPEN = 'copilotChatSecretary.openRequest'
const MAX_FOUND = 10

interface Found {
  readonly sessionId: string
  readonly index: number
  readonly timestamp: number
  readonly request: string
}

interface Recalled {
  readonly sessionId?: string
  readonly firstRequest?: Omit<Found, 'sessionId'>
  readonly otherRequests?: readonly string[]
  readonly latestRequests?: readonly Omit<Found, 'sessionId'>[]
  readonly underWay?: readonly string[]
  readonly openTasks?: readonly string[]
}

interface Parts {
  readonly sessions: DialogSessionsServiceImpl
  readonly companions: Companions
}

/** `@secretary` for people: what was asked, without a model in between. */
export async function answerAsSecretary(
  parts: Parts,
  request: ChatRequest,
  stream: ChatResponseStream,
  token: CancellationToken,
): Promise<void> {
  const ending = new AbortController()
  const listening = token.onCancellationRequested(() => ending.abort())
  try {
    if (request.command === 'tasks') await tellTasks(parts, stream)
    else if (request.command === 'recall' || request.prompt.trim() === '')
      await tellRecall(parts, request, stream, ending.signal)
    else await tellFound(parts, request.prompt, stream, ending.signal)
  } finally {
    listening.dispose()
  }
}

async function tellRecall(
  { sessions, companions }: Parts,
  { toolInvocationToken }: ChatRequest,
  stream: ChatResponseStream,
  signal: AbortSignal,
): Promise<void> {
  const caller = sessionOfToken(toolInvocationToken)
  const sessionId = (await sessions.findCurrent(caller))?.sessionId ?? caller
  const { body } = await companions.main.tool(
    'copilot_chat_secretary_recall',
    sessionId === undefined ? {} : { sessionId },
    signal,
  )
  const {
    firstRequest,
    otherRequests = [],
    latestRequests = [],
    underWay = [],
    openTasks = [],
  } = body as Recalled
  const id = String(body.sessionId ?? sessionId)
  if (!firstRequest) return void stream.markdown(l10n.t('Nothing was asked in this chat yet.'))
  stream.markdown(`**${l10n.t('First request')}**\n\n`)
  tellRequest(stream, { ...firstRequest, sessionId: id })
  tellLines(stream, l10n.t('Requests since'), otherRequests)
  if (latestRequests.length > 0) stream.markdown(`\n\n**${l10n.t('Latest requests')}**\n\n`)
  for (const one of latestRequests) tellRequest(stream, { ...one, sessionId: id })
  tellLines(stream, l10n.t('Under way'), underWay)
  tellLines(stream, l10n.t('Open tasks'), openTasks)
}

async function tellFound(
  { companions }: Parts,
  query: string,
  stream: ChatResponseStream,
  signal: AbortSignal,
): Promise<void> {
  const { body } = await companions.main.tool(
    'copilot_chat_secretary_search_requests',
    { query, limit: MAX_FOUND },
    signal,
  )
  const results = (body.results ?? []) as Found[]
  if (results.length === 0)
    return void stream.markdown(l10n.t('No request of this project matches.'))
  for (const one of results) tellRequest(stream, one)
}

async function tellTasks({ companions }: Parts, stream: ChatResponseStream): Promise<void> {
  const { tasks } = await companions.main.get<{ tasks: { id: number; title: string }[] }>('tasks', {
    completed: 'false',
  })
  if (tasks.length === 0) stream.markdown(l10n.t('No task is open.'))
  tellLines(
    stream,
    l10n.t('Open tasks'),
    tasks.map(({ id, title }) => `${id}: ${title}`),
  )
}

function tellRequest(
  stream: ChatResponseStream,
  { sessionId, index, timestamp, request }: Found,
): void {
  const text = new MarkdownString('- ')
  text.isTrusted = { enabledCommands: [OPEN] }
  text.appendText(oneLine(request))
  const place = encodeURIComponent(JSON.stringify([sessionId, index]))
  text.appendMarkdown(` ([${index}](command:${OPEN}?${place}), ${ago(timestamp)})\n`)
  stream.markdown(text)
}

function tellLines(stream: ChatResponseStream, title: string, lines: readonly string[]): void {
  if (lines.length === 0) return
  const text = new MarkdownString(`\n\n**${title}**\n\n`)
  for (const line of lines) {
    text.appendMarkdown('- ')
    text.appendText(oneLine(line))
    text.appendMarkdown('\n')
  }
  stream.markdown(text)
}
