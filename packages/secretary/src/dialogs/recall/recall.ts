import { existsSync } from 'node:fs'
import { posix, resolve } from 'node:path'
import type { Log } from '@secretary-mcp/core/log.ts'
import { redact } from '@secretary-mcp/core/redact.ts'
import { Result } from '@secretary-mcp/core/result.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { isApprovedPlan } from '@secretary-mcp/transcripts/authorship.ts'
import type { Run } from '@secretary-mcp/transcripts/deeds/deed.ts'
import { latestToDos } from '@secretary-mcp/transcripts/deeds/to-dos.ts'
import type { Dialog, Mark } from '@secretary-mcp/transcripts/dialog.ts'
import { isRepositorySource } from '@secretary-mcp/transcripts/source-names.ts'
import type { DeedStore, StoredDeed } from '../deeds/deed-store.ts'
import {
  byPosition,
  deedsOfDialog,
  describeRun,
  type PlacedDeed,
} from '../deeds/deeds-of-dialog.ts'
import { hintOfClones } from '../deeds/work-places.ts'
import { noActiveDialog } from '../dialog-schema.ts'
import type { Dialogs } from '../dialogs.ts'
import { standingNow } from '../standing.ts'
import {
  composeRecall,
  GROUPS,
  type Material,
  type Recall,
  type RecalledRequest,
  type RecallLines,
  type RecallPorts,
} from './compose-recall.ts'

const MAX_LINES = 30
const MAX_FILES = 12
const MAX_COMMANDS = 8
const MAX_TO_DOS = 8
/** Latest requests whose files are named, and how many of each. */
const MAX_NAMED_WORK = 3
const MAX_NAMES = 4
/** So many are named for every request: a count would not be shorter. */
const FEW_FILES = 2
const CHECKS = ['test', 'build', 'lint'] as const
/** Of the project's other dialogs. */
const MAX_CHECKS = 500
const MAX_COMMAND = 110
const FADING_TOUCHES = 10
const FADING_RUNS = 30
/** Of a very long dialog, the first request and so many of the last are read. */
const MAX_REQUESTS = 300

export interface RecallArguments {
  readonly sessionId?: string
  readonly budget: number
  /** The caller's dialog has just begun: what is asked in it now is known to the caller. */
  readonly isFresh?: boolean
  /** Names of the spaces whose contents may be told; all if undefined. */
  readonly spaces?: readonly string[]
}

interface RecallParts {
  readonly dialogs: Dialogs
  readonly deeds?: DeedStore
  readonly ports: RecallPorts
  readonly log: Log
}

/** One call after a compaction. No model is asked, so it costs nothing and cannot invent. */
export async function recall(
  { dialogs, deeds, ports, log }: RecallParts,
  caller: Caller,
  { sessionId, budget, isFresh = false, spaces }: RecallArguments,
  signal: AbortSignal,
): Promise<Result<Recall>> {
  const dialog = sessionId
    ? await dialogs.require(caller, sessionId, signal)
    : await ownOrEarlier(dialogs, caller, isFresh, signal)
  const { files: ownFiles, ...others } = ports
  const { groups, problems } = await askPorts(others, caller, signal, log, spaces)
  const nobody = dialog ? undefined : noActiveDialog()
  const said = dialog
    ? await gatherDialog(dialogs, deeds, dialog)
    : { totalRequests: 0, requests: [], files: [] }
  let files = said.files ?? []
  if (files.length === 0) {
    // Those that the agent used most, where the dialog tells of none.
    const used = await askPorts({ files: ownFiles }, caller, signal, log, spaces)
    files = used.groups.files?.lines.slice(0, MAX_FILES) ?? []
    problems.push(...used.problems)
  }
  const fromOthers = await askOthers(dialogs, caller, files, log, spaces)
  const hint = await hintOfClones(dialogs, caller)
  if (nobody && !hint && files.length + fromOthers.length + lineCount(groups) === 0) throw nobody
  const { note } = dialogs.unreadFor(caller)
  const { pinned, ...rest } = groups
  const asking = sessionId ?? dialogs.sessionNamedBy(caller) ?? dialog?.sessionId
  const material = {
    ...said,
    isEarlier: asking !== dialog?.sessionId,
    pinned: pinned?.lines,
    files,
    fromOthers,
    groups: rest,
    problems: [nobody?.message, note, hint, ...problems].filter((one) => one !== undefined),
  }
  return Result.ok(composeRecall(material, budget))
}

/** A database that is away costs this part alone. */
async function askOthers(
  { shared }: Dialogs,
  caller: Caller,
  files: readonly string[],
  log: Log,
  spaces?: readonly string[],
): Promise<string[]> {
  if (!shared) return []
  try {
    const { recallFromSpaces } = await import('../sharing/read-from-space.ts')
    return await recallFromSpaces(shared, caller, files, spaces)
  } catch (err) {
    log.warn({ err }, 'a part of the recall is missing')
    return []
  }
}

function lineCount(groups: Partial<Record<keyof RecallPorts, RecallLines>>): number {
  return Object.values(groups).reduce((sum, { lines }) => sum + lines.length, 0)
}

async function ownOrEarlier(
  dialogs: Dialogs,
  caller: Caller,
  isFresh: boolean,
  signal: AbortSignal,
): Promise<Dialog | undefined> {
  const found = await dialogs.find(caller, undefined, signal)
  const named = dialogs.sessionNamedBy(caller)
  // One that has just begun may not be written yet: what is found instead is an earlier one.
  const own = named === undefined || found?.sessionId === named ? found : undefined
  if (own && own.requestsCount > (isFresh ? 1 : 0)) return own
  return (await dialogs.findEarlier(caller, own?.sessionId)) ?? found
}

async function gatherDialog(
  dialogs: Dialogs,
  store: DeedStore | undefined,
  dialog: Dialog,
): Promise<Omit<Material, 'groups' | 'problems'>> {
  const marks = await dialogs.texts.marks(dialog)
  const deeds = await deedsOfDialog(store, dialog, marks)
  const { sessionId, source, title, project } = dialog
  const requests = await gatherRequests(dialogs, dialog, marks, deeds)
  return {
    dialog: { sessionId, source, ...(title ? { title } : {}) },
    totalRequests: marks.length,
    requests,
    standing: isRepositorySource(source)
      ? []
      : standingNow(requests.map(({ request }) => request)).reverse(),
    underWay: openEnds(deeds, marks.length),
    files: filesAtHand(deeds, project),
    commands: await workingCommands(deeds, store, project),
  }
}

const APPROVED_PLAN = 'The person approved this plan; an agent wrote it.'

/** The person's words, each with what was done for it. */
async function gatherRequests(
  { texts }: Dialogs,
  dialog: Dialog,
  marks: readonly Mark[],
  deeds: readonly PlacedDeed[],
): Promise<RecalledRequest[]> {
  const work = byPosition(deeds)
  const requests: RecalledRequest[] = []
  for (const [index, mark] of marks.entries()) {
    if (index > 0 && marks.length - index > MAX_REQUESTS) continue
    const { request = mark.preview, answers } = await texts.asked(dialog, marks, index + 1)
    const done = summarise(work.get(index + 1) ?? [], marks.length - index <= MAX_NAMED_WORK)
    requests.push({
      index: index + 1,
      timestamp: mark.time ?? dialog.firstSeen,
      request: redact(request),
      ...(answers ? { answers: redact(answers) } : {}),
      ...(isApprovedPlan(request) ? { note: APPROVED_PLAN } : {}),
      ...(done ? { done } : {}),
    })
  }
  return requests
}

/** What was done for a request, in few words; for the latest ones with the names of the files. */
function summarise(deeds: readonly PlacedDeed[], isLate: boolean): string {
  const changed = new Set(
    deeds.flatMap(({ kind, path }) =>
      /^(create|change|delete)$/.test(kind) && path !== undefined ? [posix.basename(path)] : [],
    ),
  )
  const commits = deeds.flatMap(({ kind, tail }) => (kind === 'commit' && tail ? [tail] : []))
  return [
    changed.size > 0
      ? `changed ${isLate || changed.size <= FEW_FILES ? nameFiles([...changed]) : countFiles(changed.size)}`
      : undefined,
    commits.length > 0
      ? `committed ${commits.map((sha) => sha.slice(0, 7)).join(', ')}`
      : undefined,
    deeds.at(-1)?.kind === 'interrupt' ? 'interrupted' : undefined,
  ]
    .filter(Boolean)
    .join(', ')
}

function countFiles(count: number): string {
  return `${count} file${count === 1 ? '' : 's'}`
}

function nameFiles(names: readonly string[]): string {
  const shown = names.slice(-MAX_NAMES)
  const rest = names.length - shown.length
  return `${shown.join(', ')}${rest > 0 ? ` and ${countFiles(rest)} more` : ''}`
}

/** The agent's own list and plan, how the last test, build and lint ended, and what waits for the person. */
function openEnds(deeds: readonly PlacedDeed[], totalRequests: number): string[] {
  const ends = (['test', 'build', 'lint'] as const).flatMap((kind) => {
    const all = deeds.flatMap((deed) =>
      (deed.runs ?? []).filter((run) => run.kind === kind).map((run) => ({ ...deed, run })),
    )
    const last = all.findLast(({ run }) => run.outcome !== undefined)
    if (!last) return []
    const { run, position, tail } = last
    const said = run.outcome === 'failed' ? failureIn(tail) : ''
    const later = last === all.at(-1) ? '' : ', run again since with an unknown outcome'
    return [`last ${describeRun(run)} at request ${position}${later}${said && `: ${said}`}`]
  })
  const now = deeds.filter(({ position }) => position === totalRequests)
  const asked = now.findLast(({ kind }) => kind === 'question')
  return [
    ...toDoLines(deeds),
    ...ends,
    ...(now.at(-1)?.kind === 'interrupt' ? [`request ${totalRequests} was interrupted`] : []),
    ...(asked && !asked.tail ? [`open question: ${asked.text}`] : []),
  ]
}

/** The tests that failed, or the last line. */
function failureIn(tail = ''): string {
  const lines = tail.split('\n').filter((line) => line.trim() !== '')
  return [...new Set([...lines.slice(0, 2), ...lines.slice(-1)])].join(' | ')
}

function toDoLines(deeds: readonly PlacedDeed[]): string[] {
  const { list, plan } = latestToDos(
    deeds.filter(({ kind, isHelper }) => kind === 'todo' && !isHelper),
  )
  const left = list.filter(({ state }) => state !== 'done')
  const title = plan?.split('\n').find((line) => line.trim() !== '')
  return [
    ...(left.length > 0
      ? [`the agent's to-do list: ${list.length - left.length} of ${list.length} done`]
      : []),
    ...left
      .slice(0, MAX_TO_DOS)
      .map(({ text, state }) => `${state === 'doing' ? 'doing' : 'to do'}: ${text}`),
    ...(title ? [`the agent's last plan: ${title.replace(/^[#\s]+/, '')}`] : []),
  ]
}

/** The project's files that were edited or read last; if the project is here, only those that exist. */
function filesAtHand(deeds: readonly PlacedDeed[], project: string | undefined): string[] {
  const isHere = project !== undefined && existsSync(project)
  const files: string[] = []
  for (const path of rankFiles(deeds)) {
    if (files.length === MAX_FILES) break
    if (!isHere || existsSync(resolve(project, path))) files.push(path)
  }
  return files
}

/** Each touch counts less the longer ago it was, an edit more than a read; subagents' files come after the agent's own. */
function rankFiles(deeds: readonly PlacedDeed[]): string[] {
  const touches = deeds.filter(
    ({ kind, path }) =>
      path !== undefined && !isAbsolute(path) && /^(read|create|change)$/.test(kind),
  )
  const ranked = [false, true].flatMap((isHelper) => {
    const own = touches.filter((deed) => deed.isHelper === isHelper)
    const worth = new Map<string, number>()
    for (const [index, { kind, path = '' }] of own.entries()) {
      const weight = (kind === 'read' ? 1 : 1.5) * Math.exp((index - own.length) / FADING_TOUCHES)
      worth.set(path, (worth.get(path) ?? 0) + weight)
    }
    return [...worth].sort(([, a], [, b]) => b - a).map(([path]) => path)
  })
  return [...new Set(ranked)]
}

function isAbsolute(path: string): boolean {
  return posix.isAbsolute(path) || /^[A-Za-z]:/.test(path) || path.startsWith('..')
}

/** Commands that work here: what this dialog ran, often and lately, then how the project is tested, built and checked. */
async function workingCommands(
  deeds: readonly PlacedDeed[],
  store: DeedStore | undefined,
  project: string | undefined,
): Promise<string[]> {
  const here = rankCommands(deeds)
  if (here.length >= MAX_COMMANDS || project === undefined) return here.slice(0, MAX_COMMANDS)
  const checks = { projects: [project], commandKinds: CHECKS, limit: MAX_CHECKS }
  const elsewhere = rankCommands(((await store?.find(checks)) ?? []).reverse())
  return [...new Set([...here, ...elsewhere])].slice(0, MAX_COMMANDS)
}

/** A test that failed was run all the same. */
function rankCommands(deeds: readonly StoredDeed[]): string[] {
  const runs = deeds.flatMap(({ kind, exit, runs: own = [] }) =>
    kind === 'command' ? own.filter((run) => exit === 0 || isCheck(run)) : [],
  )
  const worth = new Map<string, number>()
  for (const [index, run] of runs.entries()) {
    const { command } = run
    if (command === '' || command.length > MAX_COMMAND || ROUTINE.test(command)) continue
    const fresh = Math.exp(-(runs.length - index) / FADING_RUNS)
    worth.set(command, (worth.get(command) ?? 0) + (isCheck(run) ? 3 : 1) * (0.2 + fresh))
  }
  return [...worth].sort(([, a], [, b]) => b - a).map(([command]) => command)
}

/** Whether it says by its outcome that it ran. */
function isCheck({ kind, outcome }: Run): boolean {
  return /^(test|build|lint)$/.test(kind) && outcome !== undefined
}

/**
 * Looking around is not how a project is run, nor is what asks or changes the machine. An interpreter alone, code on its command
 * line and a tool of another server are no commands of a project.
 */
const ROUTINE =
  /^mcp__|^(?:python\d?|node|bash|sh|deno|ruby|perl)(?:$|\s+-(?:c|e|p|lc)\b)|^(?:ls|cat|cd|grep|rg|find|sed|head|tail|wc|echo|mkdir|rm|cp|mv|git|gh|pwd|which|sleep|awk|sort|chmod|touch|test|for|jq|diff|tree|stat|file|du|kill|pkill|ps|lsof|export|source|true|curl|printf|xargs|open|nc|ping|dig|ssh|scp|sudo|brew|apt|apt-get|systemctl|launchctl|man|date|uname|whoami|id|env|df|tmux)(?![\w-])|^\S+ (?:--help|--version|-v|help|version)$|^\//

async function askPorts(
  ports: RecallPorts,
  caller: Caller,
  signal: AbortSignal,
  log: Log,
  spaces?: readonly string[],
) {
  const asked = ([...GROUPS, 'pinned', 'files'] as const).filter((group) => ports[group])
  const answers = await Promise.allSettled(
    asked.map((group) => ports[group]?.(caller, MAX_LINES, signal, spaces)),
  )
  const groups: Partial<Record<keyof RecallPorts, RecallLines>> = {}
  const problems: string[] = []
  for (const [place, answer] of answers.entries()) {
    const group = asked[place]
    if (group === undefined) continue
    if (answer.status === 'fulfilled') groups[group] = answer.value
    else {
      log.warn({ err: answer.reason, group }, 'a part of the recall is missing')
      problems.push(`${group}: could not be read just now`)
    }
  }
  return { groups, problems }
}
