import { type JsonObject, listOf, objectIn, objectOf, textOf } from '../reading/loose-json.ts'
import { changedLines, joinChanges, linesOf, linesThat, patchedLines } from './changed-lines.ts'
import type { CallFacts, ChangedLines, DeedFacts } from './deed.ts'
import { shellDeeds } from './shell-deeds.ts'
import { isToDoTool, toDoText } from './to-dos.ts'

const FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$/
const MOVE = /^\*\*\* Move to: (.+)$/

const MAX_TEXT = 300

/** What the agents call their tools, by what they do. */
const READS =
  /^(read|read_?file(_v2)?|view|grep|notebookread|open_file|copilot_readFile|read_many_files)$/i
const WRITES = /^(write|write_?(to_)?file|create|create_?file|newFileCreated|copilot_createFile)$/i
const EDITS =
  /^(edit|multi_?edit|notebookedit|replace|replace_in_file|str_replace(_editor|_based_edit_tool)?|search_replace|edit_?file(_v2)?|editedExistingFile|apply_diff|insert|insert_edit_into_file|copilot_(replaceString|multiReplaceString|insertEdit|editFiles))$/i
const PATCHES = /^(apply_?patch|copilot_applyPatch)$/i
const DELETES = /^(delete_?file|remove_?file)$/i
const SHELLS =
  /^(bash|shell|local_shell|exec_command|shell_command|run_shell_command|run_?in_?terminal|run_terminal_c(om)?m(an)?d(_v2)?|execute(_command)?|copilot_runInTerminal)$/i
const HELPERS =
  /^(task|task_v2|agent|spawn_agent|invoke_agent|run_?subagent|new_task|delegate_task)$/i
const QUESTIONS = /^(askuserquestion|ask_user|ask_followup_question|question|ask_question)$/i

const PATH_KEYS = [
  'file_path',
  'filePath',
  'filepath',
  'path',
  'notebook_path',
  'target_file',
  'absolute_path',
  'targetFile',
  'relativeWorkspacePath',
  'effectiveUri',
]

/** What a call of a tool does, by the tool's name and what it is given; nothing for those that only look around. */
export function deedsOfCall(name: string, input: JsonObject, given: CallFacts): DeedFacts[] {
  const kind = kindOf(name)
  if (kind === undefined) return []
  if (kind === 'shell') return commandDeeds(input, given)
  const { cwd: _cwd, ...facts } = given
  if (kind === 'patch') return patchDeeds(patchIn(input), facts)
  if (kind === 'helper') {
    const instruction = input.description ?? input.message ?? input.prompt ?? input.content
    return [{ ...facts, kind, text: cut(instruction) }]
  }
  if (kind === 'question') return [{ ...facts, kind, text: questionIn(input) }]
  if (kind === 'todo') {
    const text = toDoText(name, input)
    return text === undefined ? [] : [{ ...facts, kind, text }]
  }
  const path = pathIn(input)
  if (path === undefined) return []
  if (kind === 'read') return isFile(path) ? [{ ...facts, kind, path }] : []
  if (kind === 'create') return [{ ...facts, kind, path, lines: writtenLines(input) }]
  return [{ ...facts, kind, path, ...(kind === 'change' ? { lines: editedLines(input) } : {}) }]
}

/** Some tools that read also list folders. */
export function isFile(path: string): boolean {
  return /\.\w+$/.test(path)
}

type CallKind =
  | 'read'
  | 'create'
  | 'change'
  | 'delete'
  | 'patch'
  | 'shell'
  | 'helper'
  | 'question'
  | 'todo'

const KINDS: readonly (readonly [CallKind, RegExp])[] = [
  ['read', READS],
  ['patch', PATCHES],
  ['shell', SHELLS],
  ['helper', HELPERS],
  ['question', QUESTIONS],
  ['create', WRITES],
  ['change', EDITS],
  ['delete', DELETES],
]
const MAX_NAMES = 1000
/** Agents have few tools, and call them very often. */
const known = new Map<string, CallKind | undefined>()

function kindOf(name: string): CallKind | undefined {
  if (known.has(name)) return known.get(name)
  const kind = isToDoTool(name) ? 'todo' : KINDS.find(([, names]) => names.test(name))?.[0]
  if (known.size < MAX_NAMES) known.set(name, kind)
  return kind
}

function commandDeeds(input: JsonObject, given: CallFacts): DeedFacts[] {
  const words = input.command ?? input.cmd
  // Codex gives the words of `bash -lc …` one by one.
  const list = Array.isArray(words) ? words.map(String) : undefined
  const isShell = list && /^-\w*c$/.test(list[1] ?? '')
  const command = isShell ? (list[2] ?? '') : (list?.join(' ') ?? textOf(words) ?? '')
  if (command === '') return []
  const cwd = textOf(input.workdir) ?? textOf(input.dir_path) ?? textOf(input.cwd) ?? given.cwd
  const { cwd: _cwd, ...facts } = given
  const patch = command.includes('*** Begin Patch') ? patchDeeds(command, facts) : []
  return [...shellDeeds(command, { ...facts, cwd }), ...patch]
}

function pathIn(input: JsonObject): string | undefined {
  for (const key of PATH_KEYS) {
    const path = textOf(input[key])
    if (path !== undefined) return path
  }
  return undefined
}

function writtenLines(input: JsonObject): ChangedLines {
  const { content, file_text, contents, contentsAfterEdit, code } = input
  const text = [content, file_text, contents, contentsAfterEdit, code].map(textOf).find(Boolean)
  return linesThat(linesOf(text ?? ''), [])
}

function editedLines(input: JsonObject): ChangedLines {
  const diff = textOf(input.diff)
  if (diff !== undefined) return diffLines(diff)
  const several = input.edits ?? input.replacements
  const edits = Array.isArray(several) ? several.map(objectOf) : [input]
  return joinChanges(edits.map(editLines))
}

function editLines(edit: JsonObject): ChangedLines {
  const first = (...keys: string[]) => keys.map((key) => textOf(edit[key])).find(Boolean) ?? ''
  return changedLines(
    first('old_string', 'oldString', 'old_str', 'old_text', 'oldText'),
    first(
      'new_string',
      'newString',
      'new_str',
      'new_text',
      'newText',
      'new_source',
      'insert_text',
      'code_edit',
      'code',
    ),
  )
}

/** A unified diff, or the blocks between which some agents put what goes and what comes. */
export function diffLines(diff: string): ChangedLines {
  if (/^[<-]{6,} ?SEARCH/m.test(diff)) return joinChanges([...blocksOf(diff)])
  return patchedLines(diff.split(/\r?\n/).filter((line) => !/^(\+\+\+|---) /.test(line)))
}

function* blocksOf(diff: string): Generator<ChangedLines> {
  let before: string[] | undefined
  let after: string[] | undefined
  for (const line of diff.split('\n')) {
    if (!before) {
      if (/^[<-]{6,} ?SEARCH/.test(line)) before = []
    } else if (!after) {
      if (/^={6}/.test(line)) after = []
      else before.push(`${line}\n`)
    } else if (/^[>+]{6,} ?REPLACE/.test(line)) {
      yield changedLines(before.join(''), after.join(''))
      before = undefined
      after = undefined
    } else after.push(`${line}\n`)
  }
}

function patchIn(input: JsonObject): string {
  return [input.patch, input.patchText, input.input].map(textOf).find(Boolean) ?? ''
}

function questionIn(input: JsonObject): string {
  const several = listOf(input.questions).map((one) => textOf(objectOf(one).question))
  return cut(several.filter(Boolean).join(' ') || input.question)
}

/** Arguments that come as an object, or as the text of one. */
export function inputOf(given: unknown): JsonObject {
  return typeof given === 'string' ? objectIn(given) : objectOf(given)
}

function cut(text: unknown): string {
  return String(text ?? '').slice(0, MAX_TEXT)
}

/** The files of a patch in the form that Codex made: `*** Add File: …`, lines with `+` and `-`. */
export function patchDeeds(patch: string, facts: Pick<DeedFacts, 'call' | 'time'>): DeedFacts[] {
  const deeds: DeedFacts[] = []
  let open: { kind: DeedFacts['kind']; path: string; lines: string[] } | undefined
  const close = () => {
    if (open)
      deeds.push({
        ...facts,
        kind: open.kind,
        path: open.path,
        ...(open.kind === 'delete' ? {} : { lines: patchedLines(open.lines) }),
      })
  }
  for (const line of patch.split(/\r?\n/)) {
    const [, verb, path] = FILE.exec(line) ?? []
    const moved = MOVE.exec(line)?.[1]
    if (path !== undefined) {
      close()
      const kind = verb === 'Add' ? 'create' : verb === 'Delete' ? 'delete' : 'change'
      open = { kind, path: path.trim(), lines: [] }
    } else if (moved !== undefined && open) {
      deeds.push({ ...facts, kind: 'delete', path: open.path })
      open.path = moved.trim()
    } else open?.lines.push(line)
  }
  close()
  return deeds
}
