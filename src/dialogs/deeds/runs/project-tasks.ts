import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readRegular } from '../../../core/files/read-regular.ts'
import { objectIn, objectOf, textOf } from '../../reading/loose-json.ts'
import type { CommandKind, Run } from '../deed.ts'
import type { StoredDeed } from '../deed-store.ts'
import { invocationsIn } from '../shell/invocations.ts'
import { printedOutcomes } from './printed-outcome.ts'
import { kindOfName, runKindOf, type TaskTool } from './run-kind.ts'

const MAX_FILE = 512 << 10
const MAX_TASKS = 500
const MAX_DEPTH = 5

/** A task that the project's own files define. */
export interface ProjectTask {
  readonly tool: TaskTool
  readonly name: string
  /** How a person starts it. */
  readonly run: string
  readonly commands: readonly string[]
  /** Other tasks of the same tool that it runs. */
  readonly needs: readonly string[]
}

/** The tasks of the files in one folder; none if the folder is gone. */
export function readProjectTasks(folder: string): ProjectTask[] {
  if (!existsSync(folder)) return []
  const tasks = [
    ...npmTasks(folder),
    ...makeTasks(folder),
    ...justTasks(folder),
    ...scriptsOf(
      'composer',
      objectIn(textIn(folder, 'composer.json')).scripts,
      (name) => `composer ${name}`,
    ),
    ...miseTasks(folder),
    ...taskfileTasks(folder),
    ...denoTasks(folder),
    ...cargoAliases(folder),
    ...pythonTasks(folder),
    ...toxTasks(folder),
    ...noxTasks(folder),
    ...rakeTasks(folder),
  ]
  return tasks.slice(0, MAX_TASKS)
}

function textIn(folder: string, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    try {
      const text = readRegular(join(folder, name), MAX_FILE)
      if (text !== undefined) return text
    } catch {
      // It is not there, or may not be read: then it defines nothing.
    }
  }
  return undefined
}

function scriptsOf(tool: TaskTool, scripts: unknown, run: (name: string) => string): ProjectTask[] {
  return Object.entries(objectOf(scripts)).map(([name, given]) => {
    const commands = (Array.isArray(given) ? given : [given]).flatMap(
      (one) => textOf(one) ?? textOf(objectOf(one).command) ?? textOf(objectOf(one).cmd) ?? [],
    )
    return {
      tool,
      name,
      run: run(name),
      commands,
      needs: commands.flatMap((one) => (one.startsWith('@') ? [one.slice(1)] : [])),
    }
  })
}

function npmTasks(folder: string): ProjectTask[] {
  const { scripts, packageManager } = objectIn(textIn(folder, 'package.json'))
  const manager = managerOf(folder, textOf(packageManager))
  return scriptsOf('npm', scripts, (name) =>
    manager === 'npm' && name === 'test' ? 'npm test' : `${manager} run ${name}`,
  )
}

function managerOf(folder: string, named: string | undefined): string {
  const [name] = /^(npm|pnpm|yarn|bun)\b/.exec(named ?? '') ?? []
  if (name) return name
  const locks = [
    ['pnpm-lock.yaml', 'pnpm'],
    ['yarn.lock', 'yarn'],
    ['bun.lock', 'bun'],
    ['bun.lockb', 'bun'],
  ] as const
  return locks.find(([file]) => existsSync(join(folder, file)))?.[1] ?? 'npm'
}

/** Lines `name: needs` with indented lines below them, as make and just have them. */
function recipesIn(
  text: string | undefined,
  head: RegExp,
): { name: string; needs: string[]; commands: string[] }[] {
  const found: { name: string; needs: string[]; commands: string[] }[] = []
  for (const line of (text ?? '').split('\n')) {
    const [, name, needs = ''] = head.exec(line) ?? []
    if (name !== undefined)
      found.push({
        name,
        needs: needs.split(/\s+/).filter((one) => /^[\w.:/-]+$/.test(one)),
        commands: [],
      })
    else if (/^\s+\S/.test(line)) found.at(-1)?.commands.push(line.trim().replace(/^[@-]+/, ''))
    else if (/^\S/.test(line) && !line.startsWith('#') && found.length > 0)
      found.push({ name: '', needs: [], commands: [] })
  }
  return found.filter(({ name }) => name !== '')
}

function makeTasks(folder: string): ProjectTask[] {
  const text = textIn(folder, 'GNUmakefile', 'makefile', 'Makefile')
  return recipesIn(
    text,
    /^([A-Za-z0-9][\w./-]{0,200})\s{0,20}::?(?!=)\s{0,20}([^=#]*)(?:#.*)?$/,
  ).map((recipe) => ({
    tool: 'make',
    run: `make ${recipe.name}`,
    ...recipe,
    commands: recipe.commands.map((line) => line.replace(/\$\(MAKE\)/g, 'make')),
  }))
}

function justTasks(folder: string): ProjectTask[] {
  const text = textIn(folder, 'justfile', 'Justfile', '.justfile')
  return recipesIn(
    text,
    /^@?([A-Za-z_][\w-]{0,200})(?:\s{1,20}[^:]{0,200})?:(?!=)\s{0,20}([^#]*)(?:#.*)?$/,
  ).map((recipe) => ({
    tool: 'just',
    run: `just ${recipe.name}`,
    ...recipe,
    commands: recipe.commands.map((line) => line.replace(/\{\{[^}]{0,200}\}\}/g, 'x')),
  }))
}

const MISE_FILES = [
  'mise.toml',
  '.mise.toml',
  'mise.local.toml',
  'mise/config.toml',
  '.mise/config.toml',
  '.config/mise.toml',
  '.config/mise/config.toml',
]
const MISE_FOLDERS = [
  'mise-tasks',
  '.mise-tasks',
  'mise/tasks',
  '.mise/tasks',
  '.config/mise/tasks',
]

function miseTasks(folder: string): ProjectTask[] {
  const tasks: ProjectTask[] = []
  const add = (name: string, commands: readonly string[], needs: readonly string[] = []) =>
    tasks.push({ tool: 'mise', name, run: `mise run ${name}`, commands, needs })
  for (const file of MISE_FILES) {
    const text = textIn(folder, file)
    for (const { name, keys } of tablesIn(text, /^tasks\.(.+)$/)) {
      const needs = [keys.depends, keys.depends_post].flatMap((value) => value?.slice(1) ?? [])
      add(
        name,
        keys.run?.slice(1) ?? [],
        needs.map((one) => one.split(' ')[0] ?? one),
      )
    }
    for (const { keys } of tablesIn(text, /^tasks$/))
      for (const [name, [value = '', ...texts]] of Object.entries(keys)) {
        const [, run] =
          /\brun\s{0,20}=\s{0,20}(\[[^\]]{0,2000}\]|"(?:[^"\\]|\\.){0,2000}"|'[^']{0,2000}')/.exec(
            value,
          ) ?? []
        const [, depends] =
          /\bdepends\s{0,20}=\s{0,20}(\[[^\]]{0,2000}\]|"[^"]{0,2000}")/.exec(value) ?? []
        if (value.startsWith('{')) add(name, textsIn(run ?? ''), textsIn(depends ?? ''))
        else add(name, texts)
      }
  }
  for (const place of MISE_FOLDERS)
    for (const file of filesIn(join(folder, place)))
      add(file.replace(/\.\w+$/, '').replaceAll('/', ':'), [
        textIn(folder, `${place}/${file}`) ?? '',
      ])
  return tasks
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .slice(0, MAX_TASKS)
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(folder.length + 1)
          .replaceAll('\\', '/'),
      )
  } catch {
    return []
  }
}

type TomlTable = Readonly<Record<string, readonly string[]>>

/**
 * The tables of a TOML file whose name fits, each key with the texts of its value. Enough for lists of tasks; a whole
 * parser is at home elsewhere.
 */
function tablesIn(text: string | undefined, name: RegExp): { name: string; keys: TomlTable }[] {
  const tables: { name: string; keys: Record<string, readonly string[]> }[] = []
  const lines = (text ?? '').split('\n')
  let open: Record<string, readonly string[]> | undefined
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const header = /^\s*\[([^[\]]+)\]\s*(#.*)?$/.exec(line)?.[1]
    if (header !== undefined) {
      const found = name.exec(header.trim())
      open = found ? {} : undefined
      if (open) tables.push({ name: unquoted(found?.[1] ?? ''), keys: open })
      continue
    }
    const [, key, first] =
      /^\s{0,20}([\w-]{1,200}|"[^"]{0,200}"|'[^']{0,200}')\s{0,20}=\s{0,20}(.*)$/.exec(line) ?? []
    if (key === undefined || first === undefined) continue
    let value = first
    const end = endOfValue(first)
    while (end && !end.test(value.slice(3)) && at + 1 < lines.length) value += `\n${lines[++at]}`
    if (open) open[unquoted(key)] = [value, ...textsIn(value)]
  }
  return tables
}

/** What closes a value that goes on over several lines. */
function endOfValue(value: string): RegExp | undefined {
  if (value.startsWith('"""')) return /"""/
  if (value.startsWith("'''")) return /'''/
  return value.startsWith('[') && !/\]\s*(#.*)?$/.test(value) ? /\]\s*(#.*)?$/ : undefined
}

function textsIn(value: string): string[] {
  const texts = value.matchAll(/"""([\s\S]*?)"""|'''([\s\S]*?)'''|"((?:[^"\\]|\\.)*)"|'([^']*)'/g)
  return [...texts].map(
    ([, long, raw, plain, single]) => long ?? raw ?? plain?.replaceAll('\\"', '"') ?? single ?? '',
  )
}

function unquoted(name: string): string {
  return name.replace(/^(["'])(.*)\1$/, '$2')
}

/** Tasks stand one step below `tasks:`, their commands behind dashes or deeper. */
function taskfileTasks(folder: string): ProjectTask[] {
  const text = textIn(folder, ...TASKFILES) ?? ''
  const tasks: { name: string; commands: string[]; needs: string[] }[] = []
  let isInside = false
  let indent: number | undefined
  for (const line of text.split('\n')) {
    if (/^\S/.test(line)) isInside = line.startsWith('tasks:')
    if (!isInside || /^\s*(#|$)/.test(line)) continue
    const [, blanks = '', name, rest = ''] =
      /^(\s{1,20})(["']?[\w:.*-]{1,200}["']?):(?:\s{1,20}(.*))?$/.exec(line) ?? []
    if (name !== undefined) indent ??= blanks.length
    if (name !== undefined && blanks.length === indent) {
      tasks.push({ name: unquoted(name), commands: rest ? [unquoted(rest)] : [], needs: [] })
      continue
    }
    const task = tasks.at(-1)
    const [, called] = /^\s*-\s+task:\s*(\S+)/.exec(line) ?? []
    const [, listed] = /^\s*deps:\s*\[(.*)\]/.exec(line) ?? []
    const [, command] = /^\s{0,20}(?:-\s{1,20}(?:cmd:\s{0,20})?|cmd:\s{0,20})(.*)$/.exec(line) ?? []
    if (called !== undefined) task?.needs.push(unquoted(called))
    else if (listed !== undefined)
      task?.needs.push(...listed.split(',').map((one) => unquoted(one.trim())))
    else if (command !== undefined) task?.commands.push(unquoted(command.trim()))
    else if (name === undefined) task?.commands.push(line.trim())
  }
  return tasks.map((task) => ({ tool: 'task', run: `task ${task.name}`, ...task }))
}

const TASKFILES = ['Taskfile', 'taskfile'].flatMap((name) => [
  `${name}.yml`,
  `${name}.yaml`,
  `${name}.dist.yml`,
  `${name}.dist.yaml`,
])

function denoTasks(folder: string): ProjectTask[] {
  const text = textIn(folder, 'deno.json', 'deno.jsonc') ?? ''
  const { tasks } = objectIn(text.replace(/^\s{0,20}\/\/.*$/gm, ''))
  return scriptsOf('deno', tasks, (name) => `deno task ${name}`)
}

function cargoAliases(folder: string): ProjectTask[] {
  const text = textIn(folder, '.cargo/config.toml', '.cargo/config')
  return tablesIn(text, /^alias$/).flatMap(({ keys }) =>
    Object.entries(keys).map(([name, [, ...words]]): ProjectTask => {
      return {
        tool: 'cargo',
        name,
        run: `cargo ${name}`,
        commands: [`cargo ${words.join(' ')}`],
        needs: [],
      }
    }),
  )
}

function pythonTasks(folder: string): ProjectTask[] {
  const text = textIn(folder, 'pyproject.toml')
  const starters = [
    [/^tool\.poe\.tasks$/, 'poe'],
    [/^tool\.taskipy\.tasks$/, 'task'],
    [/^tool\.pdm\.scripts$/, 'pdm run'],
  ] as const
  return starters.flatMap(([table, starter]) =>
    tablesIn(text, table).flatMap(({ keys }) =>
      Object.entries(keys).map(([name, [, ...texts]]): ProjectTask => {
        return { tool: 'poe', name, run: `${starter} ${name}`, commands: texts, needs: [] }
      }),
    ),
  )
}

function toxTasks(folder: string): ProjectTask[] {
  const parts = (textIn(folder, 'tox.ini') ?? '').split(
    /^\[testenv:([\w.-]{1,200})[^\]]{0,200}\]$/m,
  )
  return parts.slice(1).flatMap((name, at): ProjectTask[] => {
    if (at % 2 === 1) return []
    const body = parts[at + 2] ?? ''
    const commands = /^commands\s*=((?:.*\n?)(?:[ \t]+.*\n?)*)/m.exec(body)?.[1] ?? ''
    return [
      {
        tool: 'tox',
        name,
        run: `tox -e ${name}`,
        commands: commands
          .split('\n')
          .map((line) => line.trim())
          .filter(Boolean),
        needs: [],
      },
    ]
  })
}

function noxTasks(folder: string): ProjectTask[] {
  const text = textIn(folder, 'noxfile.py') ?? ''
  return [...text.matchAll(/@nox\.session[^\n]{0,200}\ndef (\w+)\(/g)].map(([, name = '']) => ({
    tool: 'nox',
    name,
    run: `nox -s ${name}`,
    commands: [],
    needs: [],
  }))
}

function rakeTasks(folder: string): ProjectTask[] {
  const text = textIn(folder, 'Rakefile', 'rakefile', 'Rakefile.rb') ?? ''
  return [...text.matchAll(/^\s{0,20}task\s{1,20}(?::|['"])?([\w:]{1,200})/gm)].map(
    ([, name = '']) => ({
      tool: 'rake',
      name: name.replace(/:$/, ''),
      run: `rake ${name.replace(/:$/, '')}`,
      commands: [],
      needs: [],
    }),
  )
}

/** What a task runs, through the other tasks that it calls. */
export function kindsOfTask(
  task: ProjectTask,
  tasks: readonly ProjectTask[],
  depth = 0,
): Set<CommandKind> {
  const kinds = new Set<CommandKind>()
  if (depth > MAX_DEPTH) return kinds
  const follow = (tool: string, name: string) => {
    const next = tasks.find((one) => one.tool === tool && one.name === name)
    // `"test": "turbo run test"` runs the tasks of that name elsewhere, not itself again.
    if (!next || next === task) return false
    for (const kind of kindsOfTask(next, tasks, depth + 1)) kinds.add(kind)
    return true
  }
  for (const name of task.needs) follow(task.tool, name)
  for (const command of task.commands.filter((one) => !one.startsWith('@')))
    for (const one of invocationsIn(command)) {
      const found = runKindOf(one)
      if (!found) continue
      const isFollowed = found.tasks?.map(({ tool, name }) => follow(tool, name)).includes(true)
      if (!isFollowed) kinds.add(found.kind)
    }
  // Its name speaks where its own words do not.
  if (kinds.size === 0 || (kinds.size === 1 && kinds.has('other'))) {
    const isEmpty = kinds.size === 0 && task.commands.length > 0 && task.needs.length === 0
    return isEmpty ? kinds : new Set([kindOfName(task.name)])
  }
  return kinds
}

/** Deeds whose runs of tasks have the kind that the project's files give them now. */
export function resolveTasks<T extends Pick<StoredDeed, 'runs' | 'tail'>>(
  deeds: readonly T[],
  folder: string | undefined,
): T[] {
  if (folder === undefined) return [...deeds]
  const known = new Map<string, ProjectTask[]>()
  const tasksIn = (place: string) => {
    const tasks = known.get(place) ?? readProjectTasks(place)
    known.set(place, tasks)
    return tasks
  }
  return deeds.map((deed) => {
    if (!deed.runs?.some(({ tasks }) => tasks)) return deed
    const runs = deed.runs.map((run) => {
      if (!run.tasks || run.folder?.startsWith('..')) return run
      const isElsewhere = /^(\/|[A-Za-z]:)/.test(run.folder ?? '')
      const place = isElsewhere ? (run.folder ?? '') : join(folder, run.folder ?? '')
      return resolveRun(run, tasksIn(place), deed.tail)
    })
    return { ...deed, runs }
  })
}

const ORDER: readonly CommandKind[] = ['test', 'build', 'lint', 'install']

function resolveRun(run: Run, tasks: readonly ProjectTask[], tail: string | undefined): Run {
  const kinds = new Set<CommandKind>()
  let isDefined = false
  for (const named of run.tasks ?? []) {
    const task = tasks.find(({ tool, name }) => named === `${tool}:${name}`)
    if (!task) continue
    isDefined = true
    for (const kind of kindsOfTask(task, tasks)) kinds.add(kind)
  }
  // A summary of tests in its output outweighs what its definition says.
  if (
    !isDefined ||
    (run.kind === 'test' &&
      run.outcome !== undefined &&
      !kinds.has('test') &&
      kindOfName(run.tasks?.[0]?.split(':').slice(1).join(':') ?? '') !== 'test')
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
