import { COMMAND_KINDS, type CommandKind } from '../deeds/deed.ts'
import type { DeedStore, StoredDeed } from '../deeds/deed-store.ts'
import { isSameWord, wordsIn } from '../deeds/words-in.ts'
import { placesOf } from '../deeds/work-places.ts'
import { plainCommand } from './plain-command.ts'

const MOST_COMMANDS = 20_000
const SHOWN = 8
const LONGEST = 300

export interface KnownCommand {
  readonly command: string
  readonly kind: CommandKind
  /** How often it ended well, and how often not. */
  readonly passed: number
  readonly failed: number
  /** When it last ended well. */
  readonly last: number
  readonly sessionId: string
}

/** The words by which people ask for a kind of command. */
const ASKED: readonly (readonly [CommandKind, RegExp])[] = [
  ['test', /\b(tests?|testing|specs?|e2e|coverage)\b|тест/i],
  ['build', /\b(builds?|building|compile|bundle|package)\b|сбор|собра/i],
  ['lint', /\b(lint(er|ing)?|format(ter|ting)?|type-?checks?|types)\b|линт|формат/i],
  ['install', /\b(install|dependenc(y|ies)|set ?up)\b|установ/i],
  ['git', /\b(git|commit|push|branch|merge|rebase)\b|коммит/i],
]

/** How a thing is really run in a project: the commands that ended well, most often and latest first. */
export async function how(
  store: DeedStore,
  project: string,
  what: string,
): Promise<KnownCommand[]> {
  const projects = (await placesOf(store, project)).map((place) => place.project)
  if (projects.length === 0) return []
  const runs = await store.find({ projects, commandKinds: COMMAND_KINDS, limit: MOST_COMMANDS })
  const [kind, naming] = ASKED.find(([, pattern]) => pattern.test(what)) ?? []
  const words: string[] = what.toLowerCase().match(/[\p{L}\p{N}_:-]{2,}/gu) ?? []
  // `rm a.test.ts` is no answer to "test": the word that names the kind counts for that kind alone.
  const others = words.filter((word) => !naming?.test(word))
  const known = [...gather(runs).values()].filter(({ passed }) => passed > 0)
  const newest = Math.max(...known.map(({ last }) => last), 0)
  return known
    .map((command) => {
      const wanted = command.kind === kind ? words : others
      return { command, score: scoreOf(command, kind, wanted, newest) }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, SHOWN)
    .map(({ command }) => command)
}

function gather(runs: readonly StoredDeed[]): Map<string, KnownCommand> {
  const known = new Map<string, KnownCommand>()
  for (const { text = '', commandKind = 'other', exit, time, sessionId } of runs) {
    const command = plainCommand(text)
    if (command === '' || command.length > LONGEST || exit === undefined) continue
    const before = known.get(command)
    const isGood = exit === 0
    known.set(command, {
      command,
      kind: commandKind,
      passed: (before?.passed ?? 0) + (isGood ? 1 : 0),
      failed: (before?.failed ?? 0) + (isGood ? 0 : 1),
      last: Math.max(before?.last ?? 0, isGood ? time : 0),
      sessionId: before && before.last >= time ? before.sessionId : sessionId,
    })
  }
  return known
}

/** A kind alone is enough; words that the command itself has count more. What was run often and lately comes first. */
function scoreOf(
  { command, kind, passed, last }: KnownCommand,
  asked: CommandKind | undefined,
  wanted: readonly string[],
  newest: number,
): number {
  const words = [...wordsIn(command), ...(command.toLowerCase().match(/[\w:-]+/g) ?? [])]
  const shared = wanted.filter((word) => words.some((other) => isSameWord(word, other))).length
  const fit = (kind === asked ? 1 : 0) + shared
  const days = (newest - last) / 86_400_000
  return fit * (1 + Math.log(passed + 1)) * (0.3 + 0.7 * Math.exp(-days / 30))
}
