import type { Context } from '../../context/context.ts'
import type { Caller } from '../../core/tool.ts'
import type { Dialogs } from '../../dialogs/dialogs.ts'
import { SOURCE_NAMES } from '../../dialogs/source-names.ts'
import { aroundHit, wordsSaid } from '../../find/around-hit.ts'
import type { Finder, Found, Wanted } from '../../find/find-types.ts'

const FIRST_LINE = 160

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
      return results
        .filter(({ sessionId }) => isTouched?.(sessionId) ?? true)
        .flatMap(({ sessionId, source, index, timestamp, request }) => {
          const why = wordsSaid(request, wanted.words, 'the request')
          if (!why) return []
          return {
            title: firstLine(request),
            text: aroundHit(request, wanted.words),
            note: source,
            at: timestamp,
            why,
            session: sessionId,
            request: index,
          }
        })
    },
  }
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
            title: firstLine(turn.request),
            text: aroundHit(turn.answer, wanted.words),
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
        .filter(({ last }) => last >= after)
        .map(({ command, passed, failed, last, sessionId }) => ({
          title: command,
          note: `succeeded ${passed}, failed ${failed}`,
          at: last,
          why: 'commands of this kind that worked here, most often and latest first',
          session: sessionId,
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

function firstLine(text: string): string {
  return (text.trim().split('\n')[0] ?? '').slice(0, FIRST_LINE)
}
