import { COMMAND_KINDS } from '../deeds/deed.ts'
import type { DeedStore, StoredDeed } from '../deeds/deed-store.ts'
import { describeDeeds } from '../deeds/describe-deeds.ts'
import { placesOf } from '../deeds/work-places.ts'
import { plainCommand } from './plain-command.ts'

const MOST_COMMANDS = 20_000
const MOST_DEEDS = 20_000
const SHOWN = 5
/** Share of the error's words that a failure must have. */
const ENOUGH = 0.6

export interface Fix {
  readonly deed: StoredDeed
  readonly command: string
  readonly error: string
  /** What was done between the failure and the run that ended well. */
  readonly done: string
  readonly files: string[]
  readonly similarity: number
}

/** What was done after the same error before, where the same command then ended well and the error did not come back. */
export async function fixes(store: DeedStore, project: string, error: string): Promise<Fix[]> {
  const projects = (await placesOf(store, project)).map((place) => place.project)
  if (projects.length === 0) return []
  const runs = await store.find({ projects, commandKinds: COMMAND_KINDS, limit: MOST_COMMANDS })
  const wanted = wordsOf(error)
  const alike = runs
    .map((deed) => ({
      deed,
      similarity: deed.exit ? overlap(wanted, wordsOf(deed.tail ?? '')) : 0,
    }))
    .filter(({ similarity }) => similarity >= ENOUGH)
    .sort((a, b) => b.similarity - a.similarity || b.deed.time - a.deed.time)
  const found: Fix[] = []
  const seen = new Set<string>()
  for (const { deed, similarity } of alike) {
    if (found.length === SHOWN) break
    const fix = await fixOf(store, deed, similarity)
    if (!fix || seen.has(fix.done)) continue
    seen.add(fix.done)
    found.push(fix)
  }
  return found
}

async function fixOf(
  store: DeedStore,
  failed: StoredDeed,
  similarity: number,
): Promise<Fix | undefined> {
  const { sessionId } = failed
  const all = (await store.find({ sessionId, limit: MOST_DEEDS })).reverse()
  const after = all.slice(all.findIndex(({ id }) => id === failed.id) + 1)
  const command = plainCommand(failed.text ?? '')
  const isSame = ({ text, exit }: StoredDeed) =>
    exit !== undefined && plainCommand(text ?? '') === command
  const again = after.filter(isSame)
  const good = after.findIndex((deed) => isSame(deed) && deed.exit === 0)
  const words = wordsOf(failed.tail ?? '')
  const cameBack = again.some(
    (deed, place) =>
      place >= again.findIndex(({ exit }) => exit === 0) &&
      deed.exit !== 0 &&
      overlap(words, wordsOf(deed.tail ?? '')) >= ENOUGH,
  )
  if (good === -1 || cameBack) return undefined
  const between = after.slice(0, good)
  const done =
    describeDeeds(between.filter(({ kind }) => kind !== 'commit')) || commandsBetween(between)
  if (done === '') return undefined
  const files = between.filter(({ lines }) => lines).map(({ path = '' }) => path)
  return {
    deed: failed,
    command,
    error: failed.tail ?? '',
    done,
    files: [...new Set(files)],
    similarity: Math.round(similarity * 100) / 100,
  }
}

function commandsBetween(deeds: readonly StoredDeed[]): string {
  const commands = deeds.filter(({ kind, exit }) => kind === 'command' && exit === 0)
  return commands.length === 0
    ? ''
    : `ran ${commands
        .map(({ text = '' }) => plainCommand(text))
        .slice(-3)
        .join('; ')}`
}

/** Numbers, places and hashes differ from one run to the next; the words of an error do not. */
function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/\p{L}[\p{L}_.-]{2,}/gu) ?? [])
}

function overlap(wanted: ReadonlySet<string>, found: ReadonlySet<string>): number {
  if (wanted.size === 0) return 0
  let shared = 0
  for (const word of wanted) if (found.has(word)) shared++
  return shared / wanted.size
}
