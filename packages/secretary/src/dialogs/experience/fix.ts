import type { DeedStore, StoredDeed } from '../deeds/deed-store.ts'
import { describeDeeds } from '../deeds/deeds-of-dialog.ts'
import { placesOf } from '../deeds/work-places.ts'

const MAX_COMMANDS = 20_000
const MAX_DEEDS = 20_000
const MAX_SHOWN = 5
const MAX_LINES = 12
const MAX_STEPS = 5

export interface Fix {
  /** The command that failed. */
  readonly deed: StoredDeed
  readonly command: string
  readonly error: string
  /** What was done between the failure and the run that passed. */
  readonly done: string
  readonly files: string[]
  /** Share of the error's telling lines that the failure has. */
  readonly similarity: number
  /** The changes among it, for whoever wants to show their lines. */
  readonly changes: readonly StoredDeed[]
  /** The commands among it that ended well. */
  readonly ran: string[]
}

/** What was done after the same error before, where the same command then passed and the error did not come back. */
export async function fixes(store: DeedStore, project: string, error: string): Promise<Fix[]> {
  const projects = (await placesOf(store, project)).map((place) => place.project)
  if (projects.length === 0) return []
  const wanted = tellingLines(error).slice(0, MAX_LINES)
  const failures = await store.find({ projects, isFailed: true, limit: MAX_COMMANDS })
  const alike = failures
    .map((deed) => ({ deed, similarity: similarityOf(wanted, deed.tail ?? '') }))
    .filter(({ similarity }) => similarity > 0)
    .sort((a, b) => b.similarity - a.similarity || b.deed.time - a.deed.time)
  const found: Fix[] = []
  const seen = new Set<string>()
  for (const { deed, similarity } of alike) {
    if (found.length === MAX_SHOWN) break
    const fix = await fixOf(store, deed, similarity, wanted)
    if (!fix || seen.has(fix.done)) continue
    seen.add(fix.done)
    found.push(fix)
  }
  return found
}

function hasFailed({ exit, runs = [] }: StoredDeed): boolean {
  return (exit !== undefined && exit !== 0) || runs.some(({ outcome }) => outcome === 'failed')
}

async function fixOf(
  store: DeedStore,
  failed: StoredDeed,
  similarity: number,
  wanted: readonly TellingLine[],
): Promise<Fix | undefined> {
  const { sessionId } = failed
  const all = (await store.find({ sessionId, limit: MAX_DEEDS })).reverse()
  const after = all.slice(all.findIndex(({ id }) => id === failed.id) + 1)
  const command = commandOf(failed)
  const good = after.findIndex((deed) => passes(deed, command))
  const cameBack = after
    .slice(good)
    .some((deed) => hasFailed(deed) && similarityOf(wanted, deed.tail ?? '') > 0)
  if (good === -1 || cameBack) return undefined
  const between = after.slice(0, good)
  const ran = between
    .filter(
      ({ kind, exit, commandKind }) => kind === 'command' && exit === 0 && commandKind !== 'test',
    )
    .flatMap(({ runs = [] }) =>
      runs.filter(({ outcome }) => outcome === 'passed').map((run) => run.command),
    )
  const steps = [...new Set(ran)].slice(-MAX_STEPS)
  const isWork = ({ kind }: StoredDeed) =>
    kind === 'create' || kind === 'change' || kind === 'delete'
  const changes = between.filter(isWork)
  const done = describeDeeds(changes) || (steps.length > 0 ? `ran ${steps.join('; ')}` : '')
  if (done === '') return undefined
  return {
    deed: failed,
    command,
    error: failed.tail ?? '',
    done,
    files: [...new Set(changes.map(({ path = '' }) => path))],
    similarity: Math.round(similarity * 100) / 100,
    changes,
    ran: steps,
  }
}

/** The program that failed, or the whole line if that is not known. */
function commandOf({ runs = [], text = '' }: StoredDeed): string {
  return (
    runs.find(({ outcome }) => outcome === 'failed')?.command ?? runs.at(-1)?.command ?? text.trim()
  )
}

function passes({ runs = [], text = '', exit }: StoredDeed, command: string): boolean {
  const same = runs.filter((run) => run.command === command)
  if (same.length > 0) return same.some(({ outcome }) => outcome === 'passed')
  return runs.length === 0 && exit === 0 && text.trim() === command
}

/** The share of the error's telling lines that stand in what a command printed; 0 if it is another error. */
function similarityOf(wanted: readonly TellingLine[], printed: string): number {
  const found = tellingLines(printed)
  if (wanted.length === 0) return 0
  const shared = wanted.filter((line) => found.some((other) => isSameError(line, other)))
  return shared.length * 2 >= wanted.length ? shared.length / wanted.length : 0
}

/** Words that stand in any error. */
const GENERIC = new Set(
  'error errors err fail failed fails failing failure failures test tests passed pass expected received actual exit exited code status command npm run script process with warning fatal exception uncaught stack trace line column at in on of to the an is was not and or for from file module'.split(
    ' ',
  ),
)
/** Where something happened, how long it took and when: it differs from one run to the next. */
const PLACES =
  /(?:[A-Za-z]:)?(?:[\w.@~-]{0,200}[\\/]){1,200}[\w.@~:-]{0,200}|\b[\w.-]{1,200}\.\w{1,5}:\d+(?::\d+)?|\([\d.]+ ?m?s\)|\b0x[\da-f]+\b|\b[\da-f]{12,}\b/gi

interface TellingLine {
  readonly words: ReadonlySet<string>
}

/** Lines with a word of their own, as the words that do not change between runs. */
function tellingLines(text: string): TellingLine[] {
  return text.split('\n').flatMap((line) => {
    const words = new Set(
      line
        .slice(0, 500)
        .replace(PLACES, ' ')
        .toLowerCase()
        .match(/\p{L}[\p{L}\p{N}_$]*/gu) ?? [],
    )
    const own = [...words].filter((word) => !GENERIC.has(word) && word.length > 1)
    return own.length > 0 && words.size > 1 ? [{ words }] : []
  })
}

/** Every word of one stands in the other, and that one is no mere part of it. */
function isSameError({ words: one }: TellingLine, { words: other }: TellingLine): boolean {
  const [short, long] = one.size <= other.size ? [one, other] : [other, one]
  for (const word of short) if (!long.has(word)) return false
  return short.size * 2 >= long.size
}
