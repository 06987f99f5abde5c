import type { AgentRequest, PendingCall, TaskFacts, Toolbox } from './agent.ts'
import { type Language, languageOf } from './language.ts'

const MAX_QUOTE = 200

type Args = Readonly<Record<string, unknown>>
type Look = (tool: string, args?: object) => Promise<unknown>

/** What the person is asked before a call: what is there now, looked up, and not what the model says of it. Undefined where there is no such task. */
export async function questionFor(
  { name, args }: PendingCall,
  toolbox: Toolbox,
  request: AgentRequest,
): Promise<string | undefined> {
  const { caller, signal } = request
  const given = isRecord(args) ? args : {}
  const tool = toolbox.ownName(name)
  if (tool === 'delete_task') {
    const task = await taskOf(given, toolbox, caller)
    if (!task) return undefined
    return languageOf(request) === 'ru'
      ? `Это нельзя отменить. Удалить навсегда: ${describeTask(task, 'ru')}? Ответьте “да” или “нет”.`
      : `This cannot be undone. Delete ${describeTask(task)}, for good? ${YES_OR_NO}`
  }
  const look: Look = (reading, wanted = {}) => toolbox.look(reading, wanted, caller, signal)
  const deed = DEEDS.get(tool)
  const what = deed ? await deed(given, look) : `Run “${tool.replaceAll('_', ' ')}”`
  return `${what}? ${YES_OR_NO}`
}

const YES_OR_NO = 'Answer yes or no.'

export async function taskOf(
  args: unknown,
  toolbox: Toolbox,
  caller: AgentRequest['caller'],
): Promise<TaskFacts | undefined> {
  const id = isRecord(args) ? args.task_id : undefined
  return Number.isSafeInteger(id) ? toolbox.findTask(Number(id), caller) : undefined
}

export function describeTask(
  { id, title, description }: TaskFacts,
  language: Language = 'en',
): string {
  const more = description ? ` (${quoted(description)})` : ''
  return `${language === 'ru' ? 'задача' : 'task'} ${id}, ${quoted(title)}${more}`
}

const DEEDS = new Map<string, (args: Args, look: Look) => Promise<string>>([
  ['create_document', async ({ path }) => `Create the document ${quoted(path)} for all projects`],
  ['update_document', (args, look) => documentDeed('Replace', args, look)],
  ['remove_document', (args, look) => documentDeed('Remove', args, look)],
  ['category_add', async ({ name }) => `Add the category ${quoted(name)} to this project`],
  ['category_change', (args, look) => listedDeed('Change', 'category', args, look)],
  ['category_remove', (args, look) => listedDeed('Remove', 'category', args, look)],
  ['collection_add', async ({ name }) => `Add the collection ${quoted(name)} to this project`],
  ['collection_change', (args, look) => listedDeed('Change', 'collection', args, look)],
  ['collection_remove', (args, look) => listedDeed('Remove', 'collection', args, look)],
  ['set_feature_flag', (args, look) => flagDeed('global flag', 'get_feature_flag', args, look)],
  ['set_project_flag', (args, look) => flagDeed('project flag', 'get_project_flag', args, look)],
  ['use_profile', async ({ name }) => `Add the rules of the profile ${quoted(name)}`],
])

async function documentDeed(verb: string, { path }: Args, look: Look): Promise<string> {
  const found = await look('read_resource', { uri: `guide://${String(path)}` })
  const text = isRecord(found) && typeof found.text === 'string' ? found.text : undefined
  const now = text === undefined ? '' : ` Its text now: ${quoted(text)}.`
  return `This cannot be undone.${now} ${verb} the document ${quoted(path)} for all projects`
}

async function listedDeed(
  verb: string,
  kind: 'category' | 'collection',
  args: Args,
  look: Look,
): Promise<string> {
  const found = await look(`${kind}_list`)
  const all = isRecord(found) ? (found.categories ?? found.collections) : undefined
  const one = (Array.isArray(all) ? all : [])
    .filter(isRecord)
    .find(({ name }) => name === args.name)
  const holds = one ? [one.dir, ...listOf(one.patterns), ...listOf(one.categories)] : []
  const now = holds.length > 0 ? ` It now holds ${quoted(holds.filter(Boolean).join(', '))}.` : ''
  const changes = Object.entries(args)
    .filter(([key]) => key !== 'name')
    .map(([key, value]) => `${FIELDS.get(key) ?? key}: ${quoted(shown(value))}`)
  const to = verb === 'Change' && changes.length > 0 ? ` (${changes.join('; ')})` : ''
  return `${verb} the ${kind} ${quoted(args.name)} of this project${to}?${now} Shall I go on`
}

const FIELDS = new Map([
  ['new_name', 'new name'],
  ['dir', 'folder'],
])

async function flagDeed(kind: string, reading: string, args: Args, look: Look): Promise<string> {
  const found = await look(reading, { name: args.name })
  const now = isRecord(found) ? (found.value ?? null) : null
  const from = now === null ? 'not set now' : `now ${quoted(shown(now))}`
  const wanted = args.value === undefined ? true : args.value
  return wanted === null
    ? `Remove the ${kind} ${quoted(args.name)}, ${from}`
    : `Set the ${kind} ${quoted(args.name)}, ${from}, to ${quoted(shown(wanted))}`
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** On one line, without control characters, and cut where it is long. */
export function quoted(text: unknown): string {
  const line = String(text)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  return `“${line.length > MAX_QUOTE ? `${line.slice(0, MAX_QUOTE).trimEnd()}…` : line}”`
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function isRecord(value: unknown): value is Args {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
