import type { Log } from '@secretary-mcp/core/log.ts'
import type { ShownDialog, Turn } from '@secretary-mcp/transcripts/dialog.ts'
import { l10n } from 'vscode'
import type { Companions } from '../server/companions.ts'
import { projectFolders } from '../server/project-folders.ts'
import { commandCount } from '../views/wording.ts'
import type { ListedDialog, OtherAgents } from './other-agents-port.ts'

const PAGE = 100
const MAX_PAGES = 5
const ANSWERS = 50
const MAX_ANSWER = 200_000
/** The definitions have this before the name that VS Code lets through. */
const SERVER_PREFIX = 'copilot_'

interface Thread {
  readonly dialog: ShownDialog
  readonly requests: readonly {
    index: number
    timestamp: number
    request: string
    answers?: string
  }[]
  readonly total: number
}

interface Answers {
  readonly answers: readonly { index: number; answer: string }[]
}

interface Deeds {
  readonly state: string
  readonly files: readonly { path: string; plus: number; minus: number }[]
  readonly commands: number
  readonly commits: readonly { readonly sha?: string; readonly subject: string }[]
}

/** What only the server knows: dialogs of every agent on this machine, what was done in them, and its tools. */
export function otherAgents(companions: Companions, log: Log): OtherAgents {
  const page = (query: { project?: string; offset: number }) =>
    companions.main.get<{ dialogs: ShownDialog[]; total: number }>('dialogs', {
      ...query,
      limit: PAGE,
    })
  const listed = async (project: string | undefined) => {
    const found: ShownDialog[] = []
    for (let offset = 0; offset < PAGE * MAX_PAGES; offset += PAGE) {
      const { dialogs, total } = await page({ project, offset })
      found.push(...dialogs)
      if (offset + PAGE >= total) break
    }
    return found
  }
  return {
    async list(everywhere) {
      try {
        const folders = everywhere ? [undefined] : projectFolders().map(({ path }) => path)
        const all = (await Promise.all(folders.map(listed))).flat()
        return all.map(indexed)
      } catch (error) {
        // The chats of this editor are there without the server.
        log.warn(`Dialogs of other agents are not shown. ${(error as Error).message}`)
        return []
      }
    },
    async find(sessionId) {
      const thread = await companions.main
        .get<Thread>('dialogs/thread', { session: sessionId, limit: 1 })
        .catch(() => undefined)
      return thread && indexed(thread.dialog)
    },
    async turns({ sessionId, source, project }, { from, to = Number.POSITIVE_INFINITY }) {
      const turns: Turn[] = []
      for (let offset = from - 1; ; offset += ANSWERS) {
        const query = { session: sessionId, limit: Math.min(ANSWERS, to - offset), offset }
        const { requests, total } = await companions.main.get<Thread>('dialogs/thread', query)
        const { answers } = await companions.main.get<Answers>('dialogs/answers', {
          ...query,
          longest: MAX_ANSWER,
        })
        const said = new Map(answers.map(({ index, answer }) => [index, answer]))
        for (const { index, timestamp, request, answers: question } of requests)
          turns.push({
            sessionId,
            source,
            project,
            position: index,
            time: timestamp,
            request,
            ...(question ? { answers: question } : {}),
            answer: said.get(index),
          })
        if (offset + ANSWERS >= Math.min(total, to)) return turns
      }
    },
    async deeds(session, index) {
      const { entries } = await companions.main
        .get<{ entries: Deeds[] }>('dialogs/ledger', { session, index })
        .catch(() => ({ entries: [] }))
      return entries.flatMap(deedLines)
    },
    async call(name, input, signal) {
      const { body } = await companions.main.tool(`${SERVER_PREFIX}${name}`, input, signal)
      return JSON.stringify(body)
    },
  }
}

/** As the views know a dialog; nothing here is read from its file. */
function indexed({ fileGone: _gone, ...dialog }: ShownDialog): ListedDialog {
  return { ...dialog, key: `${dialog.source}:${dialog.sessionId}`, size: 0, mtimeMs: 0 }
}

function deedLines({ state, files, commands, commits }: Deeds): string[] {
  return [
    l10n.t('State: {0}', state),
    ...files.map(({ path, plus, minus }) => `${path} +${plus} −${minus}`),
    ...(commands > 0 ? [commandCount(commands)] : []),
    ...commits.map(({ sha, subject }) =>
      l10n.t('Commit {0}', [sha, subject].filter(Boolean).join(' ')),
    ),
  ]
}
