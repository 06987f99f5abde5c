import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { readRegular } from '@secretary-mcp/core/files/read-inside.ts'
import { type JsonObject, listOf, objectIn, objectOf, textOf } from '../../reading/loose-json.ts'
import { readMakefile } from './makefile.ts'
import type { TaskTool } from './run-kind.ts'
import { tomlIn } from './toml.ts'

const MAX_FILE = 512 << 10
const MAX_TASKS = 500
const MAX_FILES = 20
/** Of a task's own script. */
const MAX_SCRIPT = 20_000

/** A task that the project's own files define. */
export interface ProjectTask {
  readonly tool: TaskTool
  readonly name: string
  readonly aliases: readonly string[]
  /** How a person starts it. */
  readonly run: string
  readonly commands: readonly string[]
  /** Other tasks of the same tool that it runs. */
  readonly needs: readonly string[]
  /** Where its commands run. */
  readonly folder: string
}

type Definition = Pick<ProjectTask, 'name'> &
  Partial<Pick<ProjectTask, 'aliases' | 'run' | 'commands' | 'needs' | 'folder'>>

/** The tasks that the files of one folder define, or the one file that is named. */
export function readTaskFiles(folder: string, tool?: TaskTool, file?: string): ProjectTask[] {
  if (!existsSync(folder)) return []
  const tools = tool === undefined ? TOOLS : TOOLS.filter(([name]) => name === tool)
  return tools.flatMap(([name, starter, read]) =>
    read(folder, file)
      .filter((task) => task.name !== '')
      .slice(0, MAX_TASKS)
      .map((task) => ({
        tool: name,
        run: `${starter} ${task.name}`,
        aliases: [],
        commands: [],
        needs: [],
        folder,
        ...task,
      })),
  )
}

const TOOLS: readonly (readonly [
  tool: TaskTool,
  starter: string,
  read: (folder: string, file?: string) => Definition[],
])[] = [
  ['npm', 'npm run', npmTasks],
  ['make', 'make', makeTasks],
  ['just', 'just', justTasks],
  ['composer', 'composer', composerTasks],
  ['mise', 'mise run', miseTasks],
  ['task', 'task', taskfileTasks],
  ['deno', 'deno task', denoTasks],
  ['cargo', 'cargo', cargoAliases],
  ['poe', 'poe', pythonTasks],
  ['tox', 'tox -e', toxTasks],
  ['nox', 'nox -s', noxTasks],
  ['rake', 'rake', rakeTasks],
]

function textIn(folder: string, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    try {
      const text = readRegular(isAbsolute(name) ? name : join(folder, name), MAX_FILE)
      if (text !== undefined) return text
    } catch {
      // It is not there, or may not be read: then it defines nothing.
    }
  }
  return undefined
}

/** A text, or the texts of a list. */
function textsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).flatMap((one) => textOf(one) ?? [])
}

function scriptsOf(scripts: unknown): Definition[] {
  return Object.entries(objectOf(scripts)).map(([name, given]) => ({
    name,
    commands: (Array.isArray(given) ? given : [given]).flatMap(
      (one) => textOf(one) ?? textOf(objectOf(one).command) ?? textOf(objectOf(one).cmd) ?? [],
    ),
  }))
}

function npmTasks(folder: string): Definition[] {
  const { scripts, packageManager } = objectIn(textIn(folder, 'package.json'))
  const manager = managerOf(folder, textOf(packageManager))
  return scriptsOf(scripts).map((task) => ({
    ...task,
    run: manager === 'npm' && task.name === 'test' ? 'npm test' : `${manager} run ${task.name}`,
  }))
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

/** `@php vendor/bin/phpunit` runs a program, `@other` another script. */
function composerTasks(folder: string): Definition[] {
  const { scripts } = objectIn(textIn(folder, 'composer.json'))
  return scriptsOf(scripts).map(({ name, commands = [] }) => ({
    name,
    commands: commands
      .map((one) => one.replace(/^@(?=(php|composer)\s)/, ''))
      .filter((one) => !/^@|^[\w\\]{1,200}::/.test(one)),
    needs: commands.flatMap((one) => /^@(?!(?:php|composer|putenv)\s)(\S+)/.exec(one)?.[1] ?? []),
  }))
}

function makeTasks(folder: string, file?: string): Definition[] {
  const read = (name: string) => textIn(folder, name)
  const found = [file, 'GNUmakefile', 'makefile', 'Makefile'].find(
    (name) => name !== undefined && (name === file || existsSync(join(folder, name))),
  )
  if (found === undefined) return []
  const { rules, goal } = readMakefile(found, read)
  return rules.map((rule) => ({ ...rule, ...(rule.name === goal ? { aliases: [''] } : {}) }))
}

interface Recipe {
  name: string
  needs: string[]
  commands: string[]
  aliases: string[]
}

const RECIPE = /^@?([A-Za-z_][\w-]{0,200})((?:\s[^\n]{0,300})?):(?!=)(.{0,500})$/
const JUSTFILES = ['justfile', 'Justfile', '.justfile', '.Justfile']

function justTasks(folder: string, file?: string): Definition[] {
  const variables = new Map<string, string>()
  const recipes: Recipe[] = []
  const aliases: (readonly [alias: string, name: string])[] = []
  const files = new Set<string>()
  const read = (prefix: string, base: string, ...names: readonly string[]) => {
    const text = textIn(base, ...names)
    const [first = ''] = names
    if (text === undefined || files.has(join(base, first)) || files.size === MAX_FILES) return
    files.add(join(base, first))
    let open: Recipe | undefined
    for (const line of text
      .replaceAll('\\\r', '\\')
      .replace(/\\\n\s{0,200}/g, '')
      .split('\n')) {
      if (/^\s+\S/.test(line)) {
        open?.commands.push(line.trim().replace(/^[@-]{1,2}/, ''))
        continue
      }
      const [, variable, value = ''] =
        /^(?:export\s)?([\w-]{1,200})\s{0,20}:=(.*)$/.exec(line) ?? []
      const [, alias, target = ''] =
        /^alias\s{1,20}([\w-]{1,200})\s{0,20}:=\s{0,20}(\S+)/.exec(line) ?? []
      const [, imported] = /^import\??\s{1,20}['"]([^'"]{1,300})['"]/.exec(line) ?? []
      const [, module, place] =
        /^mod\??\s{1,20}([\w-]{1,200})(?:\s{1,20}['"]([^'"]{1,300})['"])?\s{0,20}$/.exec(line) ?? []
      const [, name, , needs = ''] = RECIPE.exec(line) ?? []
      if (alias !== undefined) aliases.push([prefix + alias, prefix + target])
      else if (variable !== undefined)
        variables.set(variable, /^\s{0,20}(["'])(.*)\1\s{0,20}$/.exec(value)?.[2] ?? 'x')
      else if (imported !== undefined)
        read(prefix, join(base, dirname(imported)), basename(imported))
      else if (module !== undefined)
        for (const at of place === undefined ? [`${module}.just`, module] : [place])
          if (at.endsWith('.just'))
            read(`${prefix}${module}::`, join(base, dirname(at)), basename(at))
          else read(`${prefix}${module}::`, join(base, at), 'mod.just', ...JUSTFILES)
      else if (name !== undefined && recipes.length < MAX_TASKS) {
        // `&& after`, and `(build "release")` with its arguments.
        const words = (needs.split('#')[0] ?? '').match(/\([^)]{0,300}\)|[\w:-]+/g) ?? []
        open = {
          name: prefix + name,
          needs: words.map((word) => prefix + (/[\w:-]+/.exec(word)?.[0] ?? '')),
          commands: [],
          aliases: recipes.length === 0 ? [''] : [],
        }
        recipes.push(open)
      } else if (/^\S/.test(line) && !/^[#[]/.test(line)) open = undefined
    }
  }
  read('', folder, ...(file === undefined ? JUSTFILES : [file]))
  for (const [alias, name] of aliases)
    recipes.find((recipe) => recipe.name === name)?.aliases.push(alias)
  return recipes.map((recipe) => ({
    ...recipe,
    commands: recipe.commands.map((line) =>
      line.replace(
        /\{\{\s{0,20}([^}]{0,200}?)\s{0,20}\}\}/g,
        (_all, name: string) => variables.get(name) ?? 'x',
      ),
    ),
  }))
}

const MISE_FILES = [
  'mise.toml',
  '.mise.toml',
  'mise.local.toml',
  '.mise.local.toml',
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

function miseTasks(folder: string): Definition[] {
  const tasks: Definition[] = []
  const addAll = (given: unknown) => {
    for (const [name, task] of Object.entries(objectOf(given)).slice(0, MAX_TASKS))
      tasks.push(miseTask(folder, name, task))
  }
  const includes: string[] = []
  for (const file of MISE_FILES) {
    const config = tomlIn(textIn(folder, file))
    addAll(config.tasks)
    includes.push(...textsOf(objectOf(config.task_config).includes))
  }
  for (const place of (includes.length > 0 ? includes : MISE_FOLDERS).slice(0, MAX_FILES)) {
    if (place.endsWith('.toml')) addAll(tomlIn(textIn(folder, place)))
    else
      for (const file of filesIn(join(folder, place))) {
        const name = file
          .replace(/\.\w+$/, '')
          .replaceAll('/', ':')
          .replace(/:_default$/, '')
        tasks.push(miseTask(folder, name, { file: `${place}/${file}` }))
      }
  }
  return tasks
}

function miseTask(folder: string, name: string, given: unknown): Definition {
  const task = typeof given === 'string' || Array.isArray(given) ? { run: given } : objectOf(given)
  const steps = Array.isArray(task.run) ? task.run : [task.run]
  const file = textOf(task.file)
  const script = file === undefined ? '' : (textIn(folder, file) ?? '').slice(0, MAX_SCRIPT)
  const comments = script.match(/^(?:#|\/\/)\s?(?:\[MISE\]|MISE)\s.{1,500}$/gm) ?? []
  const head = tomlIn(
    comments.map((line) => line.replace(/^\S{0,3}\s?\[?MISE\]?\s/, '')).join('\n'),
  )
  const isShell = !script.startsWith('#!') || /^#!.{0,100}\b(ba|z|da)?sh\b/.test(script)
  const needs = [
    ...[task, head].flatMap((one) => [one.depends, one.depends_post].flatMap(neededIn)),
    ...steps.flatMap((step) => [...textsOf(objectOf(step).task), ...textsOf(objectOf(step).tasks)]),
  ]
  const dir = textOf(task.dir) ?? textOf(head.dir)
  return {
    name,
    aliases: [task, head].flatMap((one) => [...textsOf(one.alias), ...textsOf(one.aliases)]),
    commands: [...textsOf(task.run), ...(isShell && script ? [script] : [])].map((text) =>
      text.replace(/\{\{[^}]{0,200}\}\}/g, 'x'),
    ),
    needs: needs.map((one) => one.split(' ')[0] ?? one),
    ...(dir === undefined || dir.includes('{{') ? {} : { folder: join(folder, dir) }),
  }
}

/** `"a"`, `["a --fast", "b"]`, `[["a", "--fast"], { task = "b" }]` */
function neededIn(depends: unknown): string[] {
  return (Array.isArray(depends) ? depends : [depends]).flatMap(
    (one) => textOf(one) ?? textOf(listOf(one)[0]) ?? textOf(objectOf(one).task) ?? [],
  )
}

function filesIn(folder: string): string[] {
  const files: string[] = []
  const list = (place: string, depth: number) => {
    try {
      for (const entry of readdirSync(join(folder, place), { withFileTypes: true })) {
        if (files.length >= MAX_TASKS) return
        const path = place === '' ? entry.name : `${place}/${entry.name}`
        if (entry.isFile()) files.push(path)
        else if (entry.isDirectory() && depth < 4) list(path, depth + 1)
      }
    } catch {
      // No such folder.
    }
  }
  list('', 0)
  return files
}

const TASKFILES = ['Taskfile', 'taskfile'].flatMap((name) => [
  `${name}.yml`,
  `${name}.yaml`,
  `${name}.dist.yml`,
  `${name}.dist.yaml`,
])

function taskfileTasks(folder: string, file?: string): Definition[] {
  const tasks: Definition[] = []
  const files = new Set<string>()
  const read = (prefix: string, base: string, ...names: readonly string[]) => {
    const name = names.find((one) => existsSync(join(base, one)))
    if (name === undefined || files.has(join(base, name)) || files.size === MAX_FILES) return
    files.add(join(base, name))
    const found = taskfile(textIn(base, name) ?? '')
    for (const [space, path] of found.includes)
      if (/\.ya?ml$/.test(path))
        read(`${prefix}${space}:`, join(base, dirname(path)), basename(path))
      else read(`${prefix}${space}:`, join(base, path), ...TASKFILES)
    const fill = (text: string) =>
      text.replace(
        /\{\{-?\s{0,20}\.?([^}]{0,200}?)\s{0,20}-?\}\}/g,
        (_all, variable: string) => found.variables.get(variable) ?? 'x',
      )
    for (const task of found.tasks)
      tasks.push({
        name: prefix + task.name,
        aliases: [
          ...task.aliases.map((alias) => prefix + alias),
          ...(task.name === 'default' ? [prefix.slice(0, -1)] : []),
        ],
        commands: task.commands.map(fill),
        // A colon in front leads to the root.
        needs: task.needs.map((one) => (one.startsWith(':') ? one.slice(1) : prefix + one)),
        folder: task.dir === undefined ? base : join(base, fill(task.dir)),
      })
  }
  read('', folder, ...(file === undefined ? TASKFILES : [file]))
  return tasks
}

interface Taskfile {
  readonly tasks: (Recipe & { dir?: string })[]
  readonly variables: Map<string, string>
  readonly includes: Map<string, string>
}

/** Read by its indentation: a whole parser takes too long for files that are read at each question. */
function taskfile(text: string): Taskfile {
  const tasks: Taskfile['tasks'] = []
  const variables = new Map<string, string>()
  const includes = new Map<string, string>()
  let section = ''
  let indent: number | undefined
  let key = ''
  let name = ''
  let deep = 0
  for (const line of text.replaceAll('\r', '').split('\n')) {
    if (/^\s*(#|$)/.test(line)) continue
    const blanks = line.length - line.trimStart().length
    const [, item, found, rest = ''] =
      /^\s*((?:-\s{1,20})?)(["']?[\w.*-][\w:.*-]{0,200}["']?):(?:\s(.*))?$/.exec(line) ?? []
    if (blanks === 0 && item === '' && found !== undefined) {
      section = found
      indent = undefined
      continue
    }
    const value = scalar(item !== undefined ? rest : line.trim().replace(/^-\s+/, ''))
    indent ??= blanks
    const isEntry = blanks === indent && item === '' && found !== undefined
    if (isEntry) {
      name = scalar(found)
      key = ''
      deep = 0
    }
    if (section === 'vars' && isEntry) variables.set(name, value)
    else if (section === 'includes') {
      if (isEntry && value !== '') includes.set(name, value)
      else if (found === 'taskfile') includes.set(name, value)
    } else if (section === 'tasks') {
      if (isEntry) {
        if (tasks.length === MAX_TASKS) break
        const flow = listIn(rest)
        const commands = flow ?? (value === '' || /^[|>{]/.test(value) ? [] : [value])
        tasks.push({ name, commands, needs: [], aliases: [] })
        if (/^[|>]/.test(value) || value === '') key = value === '' ? '' : 'cmds'
        continue
      }
      const task = tasks.at(-1)
      if (!task) continue
      // A key of the task itself; what stands deeper belongs to it.
      if (found !== undefined && item === '' && (deep === 0 || blanks === deep)) {
        deep = blanks
        key = found
        if (key === 'dir') task.dir = value
      } else if (key === '' && line.trimStart().startsWith('- ')) key = 'cmds'
      const given = listIn(rest) ?? (value === '' || /^[|>]/.test(value) ? [] : [value])
      if (/^(deps|aliases)$/.test(key)) {
        const names =
          found === 'deps' || found === 'aliases' || found === 'task' || found === undefined
            ? given
            : []
        task[key === 'deps' ? 'needs' : 'aliases'].push(
          ...names.flatMap((one) => /^\{.{0,20}task:\s{0,5}([\w:.-]+)/.exec(one)?.[1] ?? one),
        )
      } else if (/^(cmds?)$/.test(key)) {
        if (found === 'task') task.needs.push(...given)
        else if (found === undefined || found === 'cmd' || found === 'cmds')
          task.commands.push(...given)
        else if (
          item !== undefined &&
          !/^(silent|ignore_error|for|vars|platforms|defer|set|shopt|if|task)$/.test(found)
        )
          task.commands.push(line.trim().replace(/^-\s+/, ''))
      }
    }
  }
  return { tasks, variables, includes }
}

function scalar(text: string): string {
  const plain = text.trim()
  const [, , quoted] = /^(["'])(.*)\1$/.exec(plain) ?? []
  return quoted ?? plain.replace(/\s#.*$/, '')
}

/** `[a, "b"]` */
function listIn(text: string): string[] | undefined {
  const [, inner] = /^\s*\[(.*)\]\s*$/.exec(text) ?? []
  return inner?.split(',').map(scalar).filter(Boolean)
}

function denoTasks(folder: string, file?: string): Definition[] {
  const text = textIn(folder, ...(file === undefined ? ['deno.json', 'deno.jsonc'] : [file])) ?? ''
  const { tasks } = objectIn(text.replace(/^\s{0,20}\/\/.*$/gm, ''))
  return scriptsOf(tasks).map((task) => ({
    ...task,
    needs: textsOf(objectOf(objectOf(tasks)[task.name]).dependencies),
  }))
}

function cargoAliases(folder: string): Definition[] {
  const { alias } = tomlIn(textIn(folder, '.cargo/config.toml', '.cargo/config'))
  return Object.entries(objectOf(alias)).map(([name, words]) => ({
    name,
    commands: [`cargo ${textsOf(words).join(' ')}`],
  }))
}

function pythonTasks(folder: string): Definition[] {
  const text = textIn(folder, 'pyproject.toml')
  if (text === undefined || !/\b(poe|taskipy|pdm)\b/.test(text)) return []
  const tool = objectOf(tomlIn(text).tool)
  const starters = [
    ['poe', objectOf(tool.poe).tasks],
    ['task', objectOf(tool.taskipy).tasks],
    ['pdm run', objectOf(tool.pdm).scripts],
  ] as const
  return starters.flatMap(([starter, tasks]) =>
    Object.entries(objectOf(tasks)).map(([name, given]) => ({
      name,
      run: `${starter} ${name}`,
      ...pythonTask(given),
    })),
  )
}

/** A sequence names other tasks, if it does not say that it holds commands. */
function pythonTask(given: unknown): Pick<Definition, 'commands' | 'needs'> {
  if (typeof given === 'string') return { commands: [given] }
  const task: JsonObject = Array.isArray(given) ? { sequence: given } : objectOf(given)
  const steps = [...listOf(task.sequence), ...listOf(task.parallel), ...listOf(task.composite)]
  const isCommand = task.default_item_type === 'cmd' || task.composite !== undefined
  const inner = steps.filter((step) => typeof step !== 'string').map(pythonTask)
  const named = textsOf(steps)
  return {
    commands: [
      ...[task.cmd, task.shell].flatMap((one) => textsOf(one)),
      ...(isCommand ? named : []),
      ...inner.flatMap(({ commands = [] }) => commands),
    ],
    needs: [
      ...[task.ref, task.deps, task.uses].flatMap((one) => textsOf(one)),
      ...(isCommand ? [] : named),
      ...inner.flatMap(({ needs = [] }) => needs),
    ].map((one) => one.split(' ')[0] ?? one),
  }
}

/** A plain `[testenv]` is what every environment runs that has no section of its own. */
function toxTasks(folder: string, file = 'tox.ini'): Definition[] {
  const parts = (textIn(folder, file) ?? '').split(/^\[testenv(?::([^\]\n]{1,200}))?\]/m)
  const found = parts.slice(1).flatMap((name, at): Definition[] => {
    if (at % 2 === 1) return []
    const [body = ''] = (parts[at + 2] ?? '').split(/^\[/m)
    const lines = body.split('\n')
    const from = lines.findIndex((line) => /^commands\s*=/.test(line))
    const rest = lines.slice(from + 1)
    const end = rest.findIndex((line) => /^\S/.test(line))
    const commands =
      from === -1
        ? []
        : [
            lines[from]?.replace(/^commands\s*=/, '') ?? '',
            ...rest.slice(0, end === -1 ? rest.length : end),
          ]
    const own = {
      commands: commands
        .map((line) =>
          line
            .trim()
            .replace(/^-\s{0,5}/, '')
            .replace(/\{[^{}]{0,100}\}/g, 'x'),
        )
        .filter(Boolean),
    }
    return name === undefined
      ? [{ name: '*', run: 'tox', ...own }]
      : name.split(',').map((one) => ({ name: one.trim(), ...own }))
  })
  const needs = found.map(({ name }) => name)
  return found.length === 0 ? [] : [...found, { name: 'ALL', run: 'tox', aliases: [''], needs }]
}

function noxTasks(folder: string, file = 'noxfile.py'): Definition[] {
  const parts = (textIn(folder, file) ?? '').split(/^@nox\.session/m).slice(1, MAX_TASKS)
  const sessions = parts.flatMap((part): Definition[] => {
    const [, own = '', name] =
      /^([^\n]{0,300})\n(?:@[^\n]{0,300}\n){0,9}def (\w+)\(/.exec(part) ?? []
    if (name === undefined) return []
    const named = /\bname\s{0,5}=\s{0,5}["']([^"']{1,100})/.exec(own)?.[1] ?? name
    // As far as the words of a call are texts: `session.run("pytest", *session.posargs)`.
    const calls = part.matchAll(/\bsession\.run(?:_always)?\(([^)]{0,1000})/g)
    const commands = [...calls].map(([, words = '']) =>
      [...words.matchAll(/["']([^"'\n]{1,200})["']/g)].map(([, word]) => word).join(' '),
    )
    return [{ name: named, commands: commands.filter(Boolean) }]
  })
  const needs = sessions.map(({ name }) => name)
  return sessions.length === 0
    ? []
    : [...sessions, { name: 'all', run: 'nox', aliases: [''], needs }]
}

/** What the tasks of these classes run, each with the name that it has if it is given none. */
const RAKE_CLASSES: Readonly<Record<string, readonly [name: string, command: string]>> = {
  RSpec: ['spec', 'rspec'],
  Rake: ['test', 'ruby -Itest'],
  Minitest: ['test', 'ruby -Itest'],
  Cucumber: ['cucumber', 'cucumber'],
  RuboCop: ['rubocop', 'rubocop'],
  Standard: ['standard', 'standardrb'],
}

function rakeTasks(folder: string, file?: string): Definition[] {
  const text = textIn(
    folder,
    ...(file === undefined ? ['Rakefile', 'rakefile', 'Rakefile.rb'] : [file]),
  )
  const tasks: (Recipe & { indent: number })[] = []
  const spaces: { name: string; indent: number }[] = []
  for (const line of (text ?? '').split('\n')) {
    const indent = line.length - line.trimStart().length
    const words = line.trim()
    if (words === 'end') while ((spaces.at(-1)?.indent ?? -1) >= indent) spaces.pop()
    const add = (name: string, commands: string[], needs: string[]) =>
      tasks.push({
        name: [...spaces.map((space) => space.name), name].join(':'),
        indent,
        commands,
        needs,
        aliases: [],
      })
    const [, space] = /^namespace\s{0,5}\(?\s{0,5}[:'"]?(\w+)/.exec(words) ?? []
    const [, group, given = ''] =
      /^(\w+)(?:::\w+){1,3}\.(?:new|create)\b\s{0,5}\(?\s{0,5}(.*)$/.exec(words) ?? []
    const [, name, rest = ''] =
      /^(?:multi)?task\s{0,5}\(?\s{0,5}(?:["':]{0,2})([\w:]{1,200}?)["']?(?::\s|\s{0,5}=>|,|\s|\)|$)(.*)$/.exec(
        words,
      ) ?? []
    const [, shell] = /^sh\s{0,5}\(?\s{0,5}["']([^"']{1,500})["']/.exec(words) ?? []
    const [plain, command] = RAKE_CLASSES[group ?? ''] ?? []
    if (space !== undefined) spaces.push({ name: space, indent })
    else if (plain !== undefined && command !== undefined)
      add(/^["':]{1,2}(\w+)/.exec(given)?.[1] ?? plain, [command], [])
    else if (name !== undefined && tasks.length < MAX_TASKS)
      add(
        name,
        [],
        ((rest.split(/\bdo\b/)[0] ?? '').match(/[:'"%\s[]([a-z]\w*(?::\w+)*)/g) ?? []).map((one) =>
          one.replace(/^[:'"%\s[]+/, ''),
        ),
      )
    else if (shell !== undefined) tasks.at(-1)?.commands.push(shell)
  }
  return tasks.map(({ indent: _indent, ...task }) => task)
}

/** The folder of a workspace's package, by its name or its path. */
export function packageFolder(root: string, named: string): string | undefined {
  const name = named.replace(/^\{|\}$|^\.{3}|\.{3}$/g, '')
  if (/[*!$[]/.test(name)) return undefined
  if (existsSync(join(root, name, 'package.json'))) return join(root, name)
  const { workspaces } = objectIn(textIn(root, 'package.json'))
  const patterns = [
    ...textsOf(workspaces),
    ...textsOf(objectOf(workspaces).packages),
    ...[
      ...(textIn(root, 'pnpm-workspace.yaml') ?? '').matchAll(
        /^\s{0,10}-\s{1,5}["']?([\w./*@-]{1,200})/gm,
      ),
    ].map(([, pattern = '']) => pattern),
  ]
  const folders = patterns.slice(0, MAX_FILES).flatMap((pattern) => {
    const star = pattern.indexOf('*')
    return star === -1 ? [join(root, pattern)] : foldersIn(join(root, pattern.slice(0, star)))
  })
  return folders
    .slice(0, MAX_TASKS)
    .find(
      (folder) =>
        basename(folder) === name || textOf(objectIn(textIn(folder, 'package.json')).name) === name,
    )
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(folder, entry.name))
  } catch {
    return []
  }
}
