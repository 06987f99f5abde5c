import { queryWords } from '@secretary-mcp/core/excerpt.ts'
import type { DecoratedTool } from '@secretary-mcp/core/ext-mcp-tool-decorator.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import { redact } from '@secretary-mcp/core/redact.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { titleOf } from '@secretary-mcp/transcripts/authorship.ts'
import { shownLine } from '@secretary-mcp/transcripts/preview.ts'
import { SOURCE_NAMES } from '@secretary-mcp/transcripts/source-names.ts'
import type { Context } from '../context/context.ts'
import { contextFamily } from '../context/family.ts'
import type { FoundRequest } from '../dialogs/dialog-schema.ts'
import type { Dialogs } from '../dialogs/dialogs.ts'
import { dialogsFamily } from '../dialogs/family.ts'
import { isAnyShared } from '../dialogs/sharing/read-from-space.ts'
import { searchedText, wordRanking } from '../dialogs/words/word-ranking.ts'
import {
  aroundHit,
  type Finder,
  type Found,
  type FoundGroup,
  findAll,
  parseWanted,
  type Wanted,
  withoutMarks,
  wordsSaid,
} from '../find/find.ts'
import { isProblem } from '../guide/documents/document.ts'
import { guideFamily } from '../guide/family.ts'
import type { Guide } from '../guide/guide.ts'
import { tasksFamily } from '../tasks/family.ts'
import type { Tasks } from '../tasks/tasks.ts'

const FIRST_LINE = 160
const MAX_DIALOG_TITLE = 60
/** Of what is found, a third at most is what others share, unless there is room. */
const SHARE_OF_OTHERS = 3

const SHORTEST = 3

interface Parts {
  readonly tasks: Tasks
  readonly guide: Guide
  readonly dialogs: Dialogs
  readonly context: Context
  readonly tools: ReadonlyMap<string, DecoratedTool>
  readonly log: Log
}

export interface FoundAnswer {
  readonly words: string
  readonly groups: FoundGroup[]
  readonly note?: string
}

/** A family that is off has nothing to find. */
export function createFind(parts: Parts) {
  const { tasks, guide, dialogs, context, tools, log } = parts
  const families = new Set([...tools.values()].map(({ tool }) => tool.family))
  const finders: Finder[] = [toolFinder(tools)]
  if (families.has(dialogsFamily.name)) finders.push(requestFinder(dialogs), commandFinder(dialogs))
  if (families.has(tasksFamily.name)) finders.push(taskFinder(tasks))
  if (families.has(guideFamily.name)) finders.push(documentFinder(guide))
  if (families.has(contextFamily.name))
    finders.push(
      answerFinder(dialogs, context),
      decisionFinder(context, async (sessions) => {
        const found = await Promise.all(
          sessions.map((session) => dialogs.store.findBySession(session)),
        )
        return new Set(found.flat().map(({ sessionId }) => sessionId))
      }),
      fileFinder(context),
      symbolFinder(context),
    )
  return async (
    caller: Caller,
    asked: { readonly typed: string; readonly limit: number },
    signal: AbortSignal,
  ): Promise<FoundAnswer> => {
    const found = await findAll({ finders, log }, caller, asked, signal)
    const groups = await withDialogTitles(dialogs, found)
    const unread = families.has(dialogsFamily.name) ? dialogs.unreadFor(caller) : {}
    return { words: parseWanted(asked.typed, asked.limit).words, groups, ...unread }
  }
}

/** Each hit with the title of the dialog that it is in. */
async function withDialogTitles(
  dialogs: Dialogs,
  groups: readonly FoundGroup[],
): Promise<FoundGroup[]> {
  const sessions = new Set(
    groups.flatMap(({ found }) => found.flatMap(({ session }) => session ?? [])),
  )
  const titles = new Map<string, string>()
  await Promise.all(
    [...sessions].map(async (session) => {
      const [dialog] = await dialogs.store.findBySession(session)
      if (dialog?.title) titles.set(session, shownLine(dialog.title, MAX_DIALOG_TITLE))
    }),
  )
  return groups.map((group) => ({
    ...group,
    found: group.found.map((one) => {
      const dialog = one.session === undefined ? undefined : titles.get(one.session)
      return dialog === undefined || dialog === one.title ? one : { ...one, dialog }
    }),
  }))
}

/** Which of these sessions are dialogs: what was recorded on purpose names a connection. */
type DialogsAmong = (sessions: readonly string[]) => Promise<ReadonlySet<string>>

/** Decisions and whatever else was found out about the project. */
function decisionFinder(context: Context, dialogsAmong: DialogsAmong): Finder {
  return {
    kind: 'decision',
    narrowedBy: ['after'],
    async find(caller, { words, after = 0, limit }, signal) {
      if (words.length < SHORTEST) return []
      const wanted = { query: words, sources: ['discovery' as const], limit }
      const results = await context.findNotes(caller, wanted, signal)
      const known = await dialogsAmong(results.flatMap(({ session }) => session ?? []))
      return results
        .filter(({ date }) => Date.parse(date) >= after)
        .flatMap(({ content, type, date, session, space }) => {
          const why = wordsSaid(content, words, 'it')
          const title = aroundHit(content, words)
          const from = session && known.has(session) ? { session } : {}
          const note = space ? `${type}, ${space}` : type
          return why ? { title, note, at: Date.parse(date), why, ...from } : []
        })
    },
  }
}

/** Files by their path. */
function fileFinder(context: Context): Finder {
  return {
    kind: 'file',
    narrowedBy: ['file'],
    async find(caller, { words, file = '', limit }) {
      const engine = await context.engineOf(caller.project)
      const parts = `${words} ${file}`.trim().split(/\s+/)
      return (await engine.filesNamed(parts, limit)).map((path) => ({
        title: path,
        file: path,
        why: 'the words are in its path',
      }))
    },
  }
}

/** Names that the code defines, and passages that speak of the words. */
function symbolFinder(context: Context): Finder {
  return {
    kind: 'symbol',
    narrowedBy: ['file'],
    async find(caller, { words, file, limit }, signal) {
      if (words.length < SHORTEST) return []
      const engine = await context.engineOf(caller.project)
      const wanted = { query: words, sources: ['code' as const], limit: file ? 50 : limit * 2 }
      const { results } = await engine.search(wanted, signal)
      return results.flatMap((result): Found[] => {
        const { symbol, content, line } = result
        if (!symbol || !result.file || (file && !result.file.includes(file))) return []
        const why = wordsSaid(symbol, words, 'its name') ?? wordsSaid(content, words, 'its code')
        if (!why) return []
        const text = aroundHit(content, words)
        const note = `${result.file}:${line ?? 1}`
        return [{ title: symbol, text, note, file: result.file, line, why }]
      })
    },
  }
}

function taskFinder(tasks: Tasks): Finder {
  return {
    kind: 'task',
    narrowedBy: ['after'],
    async find({ user }, { words, after = 0, limit }) {
      if (words === '') return []
      const page = await tasks.list(user, { text: words, limit, offset: 0 })
      return page.tasks
        .filter(({ created_at }) => Date.parse(created_at) >= after)
        .map(({ id, title, description, completed, created_at, space }) => ({
          title,
          ...(description ? { text: aroundHit(description, words) } : {}),
          note: [completed ? 'done' : 'open', ...(space ? [space] : [])].join(', '),
          at: Date.parse(created_at),
          why: wordsSaid(`${title} ${description ?? ''}`, words, 'the task') ?? 'it has this text',
          task: id,
        }))
    },
  }
}

function documentFinder(guide: Guide): Finder {
  return {
    kind: 'document',
    narrowedBy: [],
    async find(caller, { words, limit }) {
      const { shelf } = await guide.open(caller)
      const ranking = wordRanking<{ path: string; title: string; body: string; layer: string }>(
        words,
      )
      for (const file of shelf.files) {
        const document = shelf.peek(file)
        if (isProblem(document)) continue
        const { path, title, body, layer } = document
        ranking.add(
          { path, title, body, layer },
          searchedText(`${path} ${title} ${title}\n${body}`),
        )
      }
      return ranking
        .ranked()
        .slice(0, limit)
        .map(({ item: { path, title, body, layer } }) => ({
          title: title || path,
          text: aroundHit(body, words),
          note: layer === 'shipped' ? path : `${path}, ${layer}`,
          why:
            wordsSaid(`${path} ${title} ${body}`, words, 'the document') ?? 'it has similar words',
          document: `guide://${path}`,
        }))
    },
  }
}

function toolFinder(tools: ReadonlyMap<string, DecoratedTool>): Finder {
  return {
    kind: 'tool',
    narrowedBy: [],
    async find(_caller, { words, limit }) {
      const wanted = queryWords(words)
      if (wanted.length === 0) return []
      return [...tools.values()]
        .map(({ name, tool }) => {
          const text = `${name} ${tool.title}`.toLowerCase()
          const named = wanted.filter((word) => text.includes(word)).length
          const described = wanted.filter((word) =>
            tool.description.toLowerCase().includes(word),
          ).length
          return { name, tool, score: named * 3 + described }
        })
        .filter(({ score }) => score >= wanted.length)
        .sort((a, b) => b.score - a.score)
        .slice(0, limit)
        .map(({ name, tool }) => ({
          title: name,
          text: tool.description.split('\n')[0],
          why:
            wordsSaid(`${name} ${tool.title}`, words, 'its name') ??
            'the words are in its description',
          tool: name,
        }))
    },
  }
}

interface Narrowed {
  readonly source?: string
  readonly since?: number
}

/** Requests by their words and meaning; without words, the latest dialogs that fit. */
function requestFinder(dialogs: Dialogs): Finder {
  return {
    kind: 'request',
    narrowedBy: ['agent', 'project', 'after', 'file'],
    async find(caller, wanted, signal) {
      const narrowed = await narrowing(dialogs, caller, wanted)
      if (!narrowed) return []
      const { filter, isTouched } = narrowed
      const limit = isTouched ? 100 : wanted.limit
      if (wanted.words === '') {
        const page = await dialogs.browse(caller, { ...filter, limit, offset: 0 }, signal)
        return page.dialogs
          .filter(({ sessionId }) => isTouched?.(sessionId) ?? true)
          .map(({ sessionId, source, title, firstRequestPreview, lastSeen }) => ({
            title: title ?? firstRequestPreview ?? sessionId,
            note: source,
            at: lastSeen,
            why: 'the latest dialogs',
            session: sessionId,
          }))
      }
      const asked = { ...filter, query: wanted.words, limit }
      const { results } = await dialogs.searchBrowsed(caller, asked, signal)
      const own = results.filter(({ sessionId }) => isTouched?.(sessionId) ?? true)
      const others =
        filter.project || isTouched ? [] : await ofOthers(dialogs, caller, asked, signal)
      const room = Math.min(others.length, Math.ceil(wanted.limit / SHARE_OF_OTHERS))
      return [...own.slice(0, wanted.limit - room), ...others]
        .slice(0, wanted.limit)
        .flatMap(({ sessionId, source, index, timestamp, request, answers, space, by }) => {
          const why = wordsSaid(request, wanted.words, 'the request')
          if (!why) return []
          return {
            title: titleWith(request, answers),
            text: aroundHit(request, wanted.words),
            note: by ? `${source}, ${by} in ${space}` : source,
            at: timestamp,
            why,
            session: sessionId,
            request: index,
          }
        })
    },
  }
}

/** What others share of this project. */
async function ofOthers(
  dialogs: Dialogs,
  caller: Caller,
  { query, limit, source, since = 0 }: Narrowed & { query: string; limit: number },
  signal: AbortSignal,
): Promise<FoundRequest[]> {
  if (!(await isAnyShared(dialogs, caller))) return []
  const { value } = await dialogs.searchRequests(
    caller,
    { query, limit: limit * SHARE_OF_OTHERS },
    signal,
  )
  return (value?.results ?? []).filter(
    (one) => one.by && one.timestamp >= since && (!source || one.source === source),
  )
}

/** What agents said, in this project. */
function answerFinder(dialogs: Dialogs, context: Context): Finder {
  return {
    kind: 'answer',
    narrowedBy: ['agent', 'after', 'file'],
    async find(caller, wanted, signal) {
      if (wanted.words.length < 3) return []
      const narrowed = await narrowing(dialogs, caller, wanted)
      if (!narrowed) return []
      const { filter, isTouched } = narrowed
      const turns = await context.findTurns(
        caller,
        wanted.words,
        { limit: wanted.limit * 3 },
        signal,
      )
      const found: Found[] = []
      for (const { sessionId, position } of turns ?? []) {
        if (found.length >= wanted.limit || isTouched?.(sessionId) === false) continue
        const dialog = await dialogs.find(caller, sessionId, signal)
        if (!dialog || (filter.source && dialog.source !== filter.source)) continue
        for await (const turn of dialogs.texts.turns(dialog, { from: position, to: position })) {
          const why = turn.answer && wordsSaid(turn.answer, wanted.words, 'the answer')
          if (!turn.answer || !why) continue
          if (turn.time < (filter.since ?? 0)) continue
          found.push({
            title: redact(titleWith(turn.request, turn.answers)),
            text: redact(aroundHit(withoutMarks(turn.answer), wanted.words)),
            note: dialog.source,
            at: turn.time,
            why,
            session: sessionId,
            request: position,
          })
        }
      }
      return found
    },
  }
}

/** Commands that worked in this project. */
function commandFinder(dialogs: Dialogs): Finder {
  return {
    kind: 'command',
    narrowedBy: ['after'],
    async find(caller, { words, after = 0 }, signal) {
      if (words.length < 2) return []
      const { value } = await dialogs.deeds.how(caller, words, signal)
      return (value?.commands ?? [])
        .filter(({ last = 0 }) => last >= after)
        .map(({ command, passed, failed, last, sessionId }) => ({
          title: command,
          note: `passed ${passed}, failed ${failed}`,
          ...(last === undefined ? {} : { at: last }),
          why: 'commands of this kind that worked here, most often and latest first',
          ...(sessionId === undefined ? {} : { session: sessionId }),
        }))
    },
  }
}

/** Undefined where what narrows the search leaves nothing. */
async function narrowing(dialogs: Dialogs, caller: Caller, wanted: Wanted) {
  const { agent, project, after, file } = wanted
  const source = agent && SOURCE_NAMES.find((name) => name.includes(agent.toLowerCase()))
  if (agent && !source) return undefined
  const known = project && (await projectNamed(dialogs, caller, project))
  if (project && !known) return undefined
  const touched = file ? await dialogs.deeds.sessionsTouching(caller, file) : undefined
  return {
    filter: { source: source || undefined, project: known || undefined, since: after },
    isTouched: touched && ((session: string) => touched.has(session)),
  }
}

async function projectNamed(dialogs: Dialogs, caller: Caller, text: string) {
  const { projects } = await dialogs.facets(caller)
  const wanted = text.toLowerCase()
  const ends = projects.find((project) => project.toLowerCase().endsWith(wanted))
  return ends ?? projects.find((project) => project.toLowerCase().includes(wanted))
}

/** A bare reply says nothing without the question that it answers. */
function titleWith(request: string, answers: string | undefined): string {
  return answers ? `${firstLine(request)} (answers: ${firstLine(answers)})` : firstLine(request)
}

/** What was asked, also where a log was pasted above it. */
function firstLine(text: string): string {
  return titleOf(text, FIRST_LINE)
}
