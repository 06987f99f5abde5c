import type { Context } from '../../context/context.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { FoundRequest } from '../../dialogs/dialog-schema.ts'
import type { Dialogs } from '../../dialogs/dialogs.ts'
import { isAnyShared } from '../../dialogs/sharing/read-from-space.ts'
import { SOURCE_NAMES } from '@secretary-mcp/transcripts/source-names.ts'
import { aroundHit, withoutMarks, wordsSaid } from '../../find/around-hit.ts'
import type { Finder, Found, Wanted } from '../../find/find-types.ts'

const FIRST_LINE = 160
/** Of what is found, a third at most is what others share, unless there is room. */
const SHARE_OF_OTHERS = 3

interface Narrowed {
  readonly source?: string
  readonly since?: number
}

/** Requests by their words and meaning; without words, the latest dialogs that fit. */
export function requestFinder(dialogs: Dialogs): Finder {
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
export function answerFinder(dialogs: Dialogs, context: Context): Finder {
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
            title: titleWith(turn.request, turn.answers),
            text: aroundHit(withoutMarks(turn.answer), wanted.words),
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
export function commandFinder(dialogs: Dialogs): Finder {
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

function firstLine(text: string): string {
  return (text.trim().split('\n')[0] ?? '').slice(0, FIRST_LINE)
}
