import type { Context } from '../../context/context.ts'
import { aroundHit, wordsSaid } from '../../find/around-hit.ts'
import type { Finder, Found } from '../../find/find-types.ts'

const SHORTEST = 3

/** Which of these sessions are dialogs: what was recorded on purpose names a connection. */
type DialogsAmong = (sessions: readonly string[]) => Promise<ReadonlySet<string>>

/** Decisions and whatever else was found out about the project. */
export function decisionFinder(context: Context, dialogsAmong: DialogsAmong): Finder {
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
export function fileFinder(context: Context): Finder {
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
export function symbolFinder(context: Context): Finder {
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
