import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { CommandKind, Deed, Run } from '../deed.ts'
import { invocationsIn } from '../shell/invocations.ts'
import { printedOutcomes } from './printed-outcome.ts'
import { kindOfName, type NamedTask, runKindOf, type TaskTool } from './run-kind.ts'
import { type ProjectTask, packageFolder, readTaskFiles } from './task-files.ts'

const MAX_PARENTS = 12
const MAX_SCRIPT = 20_000
/** Commands that are looked into for one answer; tasks can call one another many times over. */
const MAX_COMMANDS = 5_000
/** Of these a task is looked for in the parent folders, too. */
const INHERITED = new Set<TaskTool>([
  'npm',
  'mise',
  'just',
  'task',
  'deno',
  'cargo',
  'rake',
  'poe',
  'tox',
])
/** Of these each folder adds to what its parents define. */
const MERGED = new Set<TaskTool>(['mise', 'cargo'])

/** The tasks of a project, as its files define them now. Each folder is read once. */
export class ProjectTasks {
  readonly #project: string
  readonly #folders = new Map<string, readonly ProjectTask[]>()
  readonly #kinds = new Map<ProjectTask, ReadonlySet<CommandKind>>()
  readonly #open = new Set<ProjectTask>()
  /** What the same files define. */
  readonly #siblings = new Map<ProjectTask, readonly ProjectTask[]>()
  #left = MAX_COMMANDS

  constructor(project: string) {
    this.#project = project
  }

  /** Those that can be run in the project's folder. */
  list(): ProjectTask[] {
    const [own = this.#project, ...parents] = this.#reach(this.#project)
    const tasks = [...this.#tasksIn(own)]
    for (const parent of parents)
      for (const task of this.#tasksIn(parent)) {
        const known = tasks.filter(({ tool }) => tool === task.tool)
        const isHidden = MERGED.has(task.tool)
          ? known.some(({ name }) => name === task.name)
          : known.some(({ folder }) => folder !== parent)
        if (INHERITED.has(task.tool) && !isHidden) tasks.push(task)
      }
    return tasks.filter(({ name }) => !/[%*]/.test(name))
  }

  find(named: NamedTask, from: string): ProjectTask[] {
    const { tool, name, folder: given = '', file, workspace } = named
    if ([given, file, workspace].some((text) => /^~|[$`]/.test(text ?? ''))) return []
    const place = resolve(from, given)
    if (file !== undefined) {
      const path = resolve(place, file)
      const isMake = tool === 'make'
      const [folder, own] = isMake ? [place, file] : [dirname(path), basename(path)]
      const key = `${tool} ${folder} ${own}`
      const tasks = this.#folders.get(key) ?? this.#remember(readTaskFiles(folder, tool, own))
      this.#folders.set(key, tasks)
      return tasksNamed(tasks, tool, name)
    }
    const [own = place, ...parents] = this.#reach(place)
    const member =
      workspace === undefined
        ? undefined
        : [own, ...parents].map((one) => packageFolder(one, workspace)).find(Boolean)
    if (workspace !== undefined && member === undefined) return []
    for (const at of member === undefined
      ? [own, ...(INHERITED.has(tool) ? parents : [])]
      : [member]) {
      const tasks = this.#tasksIn(at)
      const found = tasksNamed(tasks, tool, name)
      if (found.length > 0) return found
      if (!MERGED.has(tool) && tasks.some((task) => task.tool === tool)) return []
    }
    return []
  }

  /** What a task runs, through the other tasks that it calls. */
  kindsOf(task: ProjectTask): ReadonlySet<CommandKind> {
    const known = this.#kinds.get(task)
    if (known) return known
    this.#open.add(task)
    const kinds = this.#ownKinds(task)
    this.#open.delete(task)
    this.#kinds.set(task, kinds)
    return kinds
  }

  #ownKinds(task: ProjectTask): ReadonlySet<CommandKind> {
    const kinds = new Set<CommandKind>()
    const siblings = this.#siblings.get(task) ?? []
    const needed = (name: string) => {
      const found = tasksNamed(siblings, task.tool, name)
      return found.length > 0 ? found : this.find({ tool: task.tool, name }, task.folder)
    }
    const followAll = (tasks: readonly ProjectTask[]) => {
      // `"test": "turbo run test"` runs the tasks of that name elsewhere, not itself again.
      const next = tasks.filter((one) => !this.#open.has(one))
      for (const one of next) for (const kind of this.kindsOf(one)) kinds.add(kind)
      return next.length > 0
    }
    for (const name of task.needs) if (this.#left-- > 0) followAll(needed(name))
    for (const command of task.commands) {
      if (this.#left-- <= 0) break
      for (const one of invocationsIn(command.slice(0, MAX_SCRIPT))) {
        const found = runKindOf(one)
        if (!found) continue
        const from = resolve(task.folder, one.folder ?? '')
        const isFollowed = found.tasks
          ?.map((named) => followAll(this.find(named, from)))
          .includes(true)
        if (!isFollowed) kinds.add(found.kind)
      }
    }
    // Its name speaks where its own words do not.
    if (kinds.size === 0 || (kinds.size === 1 && kinds.has('other'))) {
      const isEmpty = kinds.size === 0 && task.commands.length > 0 && task.needs.length === 0
      return isEmpty ? kinds : new Set([kindOfName(task.name)])
    }
    return kinds
  }

  #tasksIn(folder: string): readonly ProjectTask[] {
    const known = this.#folders.get(folder)
    if (known) return known
    const tasks = this.#remember(readTaskFiles(folder))
    this.#folders.set(folder, tasks)
    return tasks
  }

  #remember(tasks: readonly ProjectTask[]): readonly ProjectTask[] {
    for (const task of tasks) this.#siblings.set(task, tasks)
    return tasks
  }

  /** A folder and its parents as far as its repository goes, or else the project. */
  #reach(folder: string): string[] {
    const folders = [folder]
    while (folders.length < MAX_PARENTS && !existsSync(join(folders.at(-1) ?? '', '.git'))) {
      const parent = dirname(folders.at(-1) ?? '')
      if (parent === folders.at(-1)) break
      folders.push(parent)
    }
    if (existsSync(join(folders.at(-1) ?? '', '.git'))) return folders
    return folders.filter((one) => one === folder || isWithin(one, this.#project))
  }

  /** Whether a folder belongs to the project or its repository. */
  isOwn(folder: string): boolean {
    return isWithin(folder, this.#reach(this.#project).at(-1) ?? this.#project)
  }
}

function isWithin(folder: string, parent: string): boolean {
  return folder === parent || folder.startsWith(parent.endsWith(sep) ? parent : parent + sep)
}

/** By its name or an alias; else those whose pattern it fits, or that its own pattern names. */
function tasksNamed(tasks: readonly ProjectTask[], tool: TaskTool, name: string): ProjectTask[] {
  const own = tasks.filter((task) => task.tool === tool)
  const exact = own.find((task) => task.name === name || task.aliases.includes(name))
  if (exact) return [exact]
  if (tool === 'mise' && name.includes('*')) return own.filter((task) => fits(task.name, name, '*'))
  const pattern = own.find(
    (task) => name !== '' && fits(name, task.name, tool === 'make' ? '%' : '*'),
  )
  return pattern ? [pattern] : []
}

/** Whether a name begins and ends as the pattern does around its sign. */
function fits(name: string, pattern: string, sign: string): boolean {
  const from = pattern.indexOf(sign)
  if (from === -1) return false
  const start = pattern.slice(0, from)
  const end = pattern.slice(pattern.lastIndexOf(sign) + 1)
  return name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end)
}

/** Deeds whose runs of tasks have the kind that the project's files give them now. */
export function resolveTasks<T extends Pick<Deed, 'runs' | 'tail'>>(
  deeds: readonly T[],
  project: string | undefined,
): T[] {
  if (project === undefined) return [...deeds]
  const tasks = new ProjectTasks(project)
  return deeds.map((deed) => {
    if (!deed.runs?.some((run) => run.tasks)) return deed
    return { ...deed, runs: deed.runs.map((run) => resolveRun(run, tasks, project, deed.tail)) }
  })
}

const ORDER: readonly CommandKind[] = ['test', 'build', 'lint', 'install']

function resolveRun(run: Run, tasks: ProjectTasks, project: string, tail: string | undefined): Run {
  if (!run.tasks) return run
  const place = resolve(project, run.folder ?? '')
  if (run.folder?.startsWith('..') && !tasks.isOwn(place)) return run
  const kinds = new Set<CommandKind>()
  let isDefined = false
  for (const named of namedTasks(run))
    for (const task of tasks.find(named, place)) {
      isDefined = true
      for (const kind of tasks.kindsOf(task)) kinds.add(kind)
    }
  // A summary of tests in its output outweighs what its definition says.
  if (
    !isDefined ||
    (run.kind === 'test' &&
      run.outcome !== undefined &&
      !kinds.has('test') &&
      kindOfName(run.tasks[0]?.split(':').slice(1).join(':') ?? '') !== 'test')
  )
    return run
  const kind = ORDER.find((one) => kinds.has(one)) ?? 'other'
  const isOneOfMany = kind === 'test' && [...kinds].filter((one) => ORDER.includes(one)).length > 1
  if (!isOneOfMany || run.outcome !== 'failed') return { ...run, kind }
  // It also builds or lints: that its tests failed is only known if they say so.
  const isTold = printedOutcomes(tail ?? '').some(
    ({ about, outcome }) => about === 'test' && outcome === 'failed',
  )
  const { outcome: _unknown, ...unproven } = run
  return isTold ? { ...run, kind } : { ...unproven, kind }
}

/** With the options that say where their files stand, which only the command has. */
function namedTasks({ command, tasks = [] }: Run): NamedTask[] {
  const named = invocationsIn(command).flatMap((one) => runKindOf(one)?.tasks ?? [])
  if (named.length > 0) return named
  return tasks.map((text) => {
    const [tool = '', ...name] = text.split(':')
    return { tool: tool as TaskTool, name: name.join(':') }
  })
}
