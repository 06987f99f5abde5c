import type { CommandKind } from '@secretary-mcp/transcripts/deeds/deed.ts'
import { ProjectTasks, resolveTasks } from '@secretary-mcp/transcripts/deeds/runs/project-tasks.ts'
import type { ProjectTask } from '@secretary-mcp/transcripts/deeds/runs/task-files.ts'
import { isSameWord, wordsIn } from '@secretary-mcp/transcripts/deeds/words-in.ts'
import type { DeedStore, RepeatedRuns } from '../deeds/deed-store.ts'
import { placesOf } from '../deeds/work-places.ts'

const MAX_SHOWN = 8
const MAX_DEFINITION = 200
const DAY_MS = 86_400_000

export interface KnownCommand {
  readonly command: string
  readonly kind: CommandKind
  /** How often it is proven to have passed, and how often to have failed. */
  readonly passed: number
  readonly failed: number
  /** When it last passed, and in which dialog; absent if it never did. */
  readonly last?: number
  readonly sessionId?: string
  /** What it runs, if a file of the project defines it. */
  readonly definition?: string
}

/** The words by which people ask for a kind of command; they say no more than that. */
const ASKED: readonly (readonly [CommandKind, RegExp])[] = [
  ['test', /^(tests?|testing|specs?|тест\p{L}*)$/iu],
  ['build', /^(builds?|building|compile|собра\p{L}*|сбор\p{L}*)$/iu],
  ['lint', /^(lint|linter|linting|линт\p{L}*)$/iu],
  ['install', /^(install|dependency|dependencies|установ\p{L}*)$/iu],
]
const EMPTY = new Set(
  'how do does can i we you is are it the a an to in of for on our my this that project repo repository run runs running execute start use please all here and with command commands what should code codebase'.split(
    ' ',
  ),
)

/** What is asked for by one word and called by others. */
const CALLED: readonly (readonly [asked: RegExp, called: RegExp])[] = [
  [/^(format|formatter|formatting|формат\p{L}*)$/iu, /\b(format|fmt|gofmt|rustfmt|prettier)\b/i],
]
/** A server is what is started; no command has to say so. */
const STARTED = /^(server|app|application|сервер)$/iu
/** A program that was written for one time, in the command itself. */
const INLINE = /^\S*(python3?|node|deno|bun|ruby|perl|php|tsx)\s(\S+\s){0,5}(-c|-e|-r|--eval)\s/
/** It adds one package; it does not install what the project needs. */
const ADDS = /\s(add|get|remove)\s/

/** How a thing is really run in a project: its own tasks and the commands that passed. Nothing if none fits every word. */
export async function how(
  store: DeedStore,
  project: string,
  what: string,
): Promise<KnownCommand[]> {
  const projects = (await placesOf(store, project)).map((place) => place.project)
  const found = projects.length === 0 ? [] : await store.findRuns(projects)
  const known = gather(resolveTasks(found, project), new ProjectTasks(project))
  const words: readonly string[] = what.toLowerCase().match(/[\p{L}\p{N}_:./-]{2,}/gu) ?? []
  const exact = known.filter(
    ({ command, names }) => names.includes(what.trim()) || command === what.trim(),
  )
  if (exact.length > 0) return exact.map(shown)
  const [kind] = ASKED.find(([, naming]) => words.some((word) => naming.test(word))) ?? []
  const naming = ASKED.find(([asked]) => asked === kind)?.[1]
  const isStart = kind === undefined && words.includes('start')
  const wanted = words.filter(
    (word) =>
      (isStart && word === 'start') ||
      (!EMPTY.has(word) && !naming?.test(word) && !(isStart && STARTED.test(word))),
  )
  if (kind === undefined && wanted.length === 0) return []
  const newest = Math.max(...known.map(({ last = 0 }) => last), 0)
  return (
    known
      .filter(
        (one) =>
          (kind === undefined || one.kind === kind) &&
          (one.passed > 0 || one.definition !== undefined),
      )
      // A commit may run tests, but nobody runs tests by it.
      .filter(({ command }) => !command.startsWith('git ') && !INLINE.test(command))
      .filter((one) => kind !== 'lint' || wanted.length > 0 || !onlyFormats(one))
      .filter(({ command }) => kind !== 'install' || wanted.length > 0 || !ADDS.test(command))
      .filter((one) => hasWords(one, wanted))
      .sort(
        (a, b) =>
          Number(isNamed(b, wanted)) - Number(isNamed(a, wanted)) ||
          weight(b, newest) - weight(a, newest),
      )
      .slice(0, MAX_SHOWN)
      .map(shown)
  )
}

interface Gathered extends KnownCommand {
  /** Names of the task that it is. */
  readonly names: readonly string[]
}

function gather(found: readonly RepeatedRuns[], defined: ProjectTasks): Gathered[] {
  const known = new Map<string, Gathered>()
  const tasks = defined.list()
  for (const task of tasks) {
    const kinds = defined.kindsOf(task)
    const kind =
      (['test', 'build', 'lint', 'install'] as const).find((one) => kinds.has(one)) ?? 'other'
    const definition = [...task.commands, ...task.needs]
      .join('; ')
      .replace(/\s+/g, ' ')
      .slice(0, MAX_DEFINITION)
    known.set(task.run, {
      command: task.run,
      kind,
      passed: 0,
      failed: 0,
      definition,
      names: [task.name, ...task.aliases].filter(Boolean),
    })
  }
  for (const { runs, count, time, sessionId } of found)
    for (const { kind, command: words, outcome, tasks: named } of runs) {
      const command = nameOf(words, named, tasks)
      const before = known.get(command) ?? { command, kind, passed: 0, failed: 0, names: [] }
      const isLatest = outcome === 'passed' && time >= (before.last ?? 0)
      known.set(command, {
        ...before,
        passed: before.passed + (outcome === 'passed' ? count : 0),
        failed: before.failed + (outcome === 'failed' ? count : 0),
        ...(isLatest ? { last: time, sessionId } : {}),
      })
    }
  return [...known.values()]
}

/** `npm run test` and `npm test` are the same task. */
function nameOf(
  words: string,
  named: readonly string[] | undefined,
  tasks: readonly ProjectTask[],
): string {
  if (named?.length !== 1) return words
  const task = tasks.find(({ tool, name }) => named[0] === `${tool}:${name}`)
  const isBare = task && words.split(' ').at(-1) === task.name && words.split(' ').length <= 3
  return isBare ? task.run : words
}

function hasWords(
  { command, definition = '', names }: Gathered,
  wanted: readonly string[],
): boolean {
  const text = `${command} ${definition} ${names.join(' ')}`.toLowerCase()
  const words = [
    ...wordsIn(text),
    ...(text.match(/[\p{L}\p{N}_:./-]+/gu) ?? []),
    ...(text.match(/[\p{L}\p{N}]+/gu) ?? []),
  ]
  return wanted.every((word) => {
    const called = CALLED.find(([asked]) => asked.test(word))?.[1]
    return called?.test(text) || words.some((other) => isSameWord(word, other))
  })
}

/** Whether a task has one of these words in its name. */
function isNamed({ names }: Gathered, wanted: readonly string[]): boolean {
  const parts = names.flatMap((name) => name.toLowerCase().split(/[^\p{L}\p{N}]+/u))
  return wanted.some((word) => parts.includes(word))
}

function onlyFormats({ command, definition = '' }: Gathered): boolean {
  const text = `${command} ${definition}`
  return CALLED.some(([, called]) => called.test(text)) && !/lint|check|vet/i.test(text)
}

/** What was run often and lately comes first. */
function weight({ passed, last = 0 }: Gathered, newest: number): number {
  return Math.log(passed + 1) * (0.3 + 0.7 * Math.exp(-(newest - last) / DAY_MS / 30))
}

function shown({ names: _names, ...command }: Gathered): KnownCommand {
  return command
}
