import { type FailureKind, kindOf } from '@secretary-mcp/core/failure.ts'
import type { Result } from '@secretary-mcp/core/result.ts'
import type { Language } from '../language.ts'
import type { KnownTask } from './find-task.ts'
import type { TaskIntent, TaskReference } from './rule.ts'
import { russianWording } from './russian-wording.ts'
import { dateOf } from './words.ts'

const LIST_FIRST = 'Say “list my tasks” to see them.'
const WAIT = 'Wait a moment, then try again.'
const NEXT_STEPS: Partial<Record<FailureKind, string>> = {
  not_found: LIST_FIRST,
  already_completed: 'Say “reopen” and its number if it is not.',
  validation_error: 'Try other words.',
}
const KINDS = {
  complete: 'complete',
  reopen: 'reopen',
  delete: 'delete',
  update: 'change',
  plan: 'change',
  show: 'show',
}

/** What the rule-based agent says, in one language. */
export interface Wording {
  /** Why it answers by rules, and how to get more. */
  readonly introduction: string
  readonly examples: string
  readonly hello: string
  readonly notUnderstood: string
  readonly askTitle: string
  readonly changedMeanwhile: string
  readonly untouched: string
  readonly instead: string
  readonly restDropped: string
  readonly cannotUndo: string
  readonly nothingToUndo: string
  readonly unsupported: string
  readonly yesToAll: (others: number) => string
  readonly whichTask: (kind: TaskIntent['kind']) => string
  readonly whichOf: (kind: TaskIntent['kind']) => string
  readonly notFound: (reference: TaskReference) => string
  readonly askText: (task: KnownTask) => string
  readonly added: (task: KnownTask) => string
  readonly changed: (id: number, title?: string) => string
  readonly completed: (task: KnownTask) => string
  readonly completedAll: (count: number) => string
  readonly reopened: (task: KnownTask) => string
  readonly reopenedAll: (count: number) => string
  readonly deleted: (description: string) => string
  readonly undone: (task: KnownTask) => string
  readonly ran: (tool: string) => string
  readonly failed: (result: Result) => string
  readonly none: (completed?: boolean) => string
  readonly heading: (total: number, completed?: boolean) => string
  readonly more: (count: number) => string
  readonly thanks: string
  readonly cannotRemind: string
  /** State, priority, labels and files. */
  readonly plan: (task: KnownTask) => string[]
  readonly noneLike: string
  readonly notOffered: string
  readonly noRequest: (words: string) => string
  readonly noReason: (place: string) => string
  readonly nothingFound: (words: string) => string
  readonly requestHead: (found: { source?: string; index: number; timestamp: number }) => string
  readonly state: (entry: LedgerEntryFacts) => string
}

/** What the ledger proves of one request. */
export interface LedgerEntryFacts {
  readonly state: string
  readonly against: readonly string[]
  readonly files: readonly { readonly path: string }[]
  readonly ended: readonly string[]
  readonly commits: readonly { readonly sha?: string; readonly subject: string }[]
}

export function wordingIn(language: Language): Wording {
  return language === 'ru' ? russianWording : englishWording
}

export const MAX_SHOWN = 20

export function listText(
  { tasks, total }: { tasks: readonly KnownTask[]; total: number },
  wording: Wording,
  completed?: boolean,
  isFiltered = false,
): string {
  if (total === 0) return isFiltered ? wording.noneLike : wording.none(completed)
  const lines = tasks.slice(0, MAX_SHOWN).map((task) => line(task, wording))
  const more = total > lines.length ? `\n${wording.more(total - lines.length)}` : ''
  return `${wording.heading(total, completed)}\n${lines.join('\n')}${more}`
}

export function line(task: KnownTask, wording: Wording): string {
  const { id, title, completed } = task
  const plan = wording.plan(task)
  return `${completed ? '✓' : '·'} ${id}  ${title}${plan.length > 0 ? `  (${plan.join(', ')})` : ''}`
}

/** A task with all that it has. */
export function detailsText(task: KnownTask, wording: Wording): string {
  const { description, files = [] } = task
  const more = [...(description ? description.split('\n') : []), ...files]
  return [line(task, wording), ...more.map((text) => `    ${text}`)].join('\n')
}

const stateOf = (completed?: boolean) =>
  completed === undefined ? '' : completed ? 'completed ' : 'open '

const englishWording: Wording = {
  introduction:
    'No language model is configured, so I follow simple rules: I can add, list, complete, reopen, change, rank and delete tasks, and look up what you asked, what happened to it, why a line is there, and where something is. See docs/configuration.md to connect one.',
  examples:
    'Try “add a task to buy milk”, “what is left?”, “mark buy milk as done”, “rename task 2 to …” or “delete task 3”.',
  hello: 'Hello.',
  notUnderstood: 'I did not understand that.',
  askTitle: 'What should the task say?',
  changedMeanwhile: 'That has changed in the meantime.',
  untouched: 'Nothing was deleted or changed.',
  instead: 'What should I do instead?',
  restDropped: 'Nothing was deleted or changed, and the rest of your message was not done either.',
  cannotUndo: 'The last change cannot be undone. Tell me what you want instead.',
  nothingToUndo: `There is nothing to undo in this conversation. ${LIST_FIRST}`,
  unsupported:
    'I cannot keep people and due dates: a task has a title, a description, a state, a priority, labels and files. I can put it into the title or the description instead.',
  yesToAll: (others) =>
    `(“yes to all” also deletes the ${others === 1 ? 'other one' : `other ${others}`}.)`,
  whichTask: (kind) =>
    `Which task shall I ${KINDS[kind]}? Give its number or some words of its title.`,
  whichOf: (kind) => `Several tasks match. Which one shall I ${KINDS[kind]}?`,
  notFound: (reference) => `I found no task ${nameOf(reference)}. ${LIST_FIRST}`,
  askText: ({ id, title }) => `What should task ${id}, “${title}”, become? Give its new title.`,
  added: ({ id, title }) => `Added task ${id}: “${title}”.`,
  changed: (id, title) => `Changed task ${id}${title ? ` to “${title}”` : ''}.`,
  completed: ({ title }) => `Task '${title}' marked as complete.`,
  completedAll: (count) => `Completed ${count} ${count === 1 ? 'task' : 'tasks'}.`,
  reopened: ({ title }) => `“${title}” is open again.`,
  reopenedAll: (count) => `Reopened ${count} ${count === 1 ? 'task' : 'tasks'}.`,
  deleted: (description) => `Done: deleted ${description}.`,
  undone: ({ id, title, completed }) =>
    `Undone: task ${id} is “${title}” again, ${completed ? 'done' : 'open'}.`,
  ran: (tool) => `Done: ${tool.replaceAll('_', ' ')}.`,
  failed: (result) => `That failed: ${sentence(result)}`,
  none: (completed) => `You have no ${stateOf(completed)}tasks.`,
  heading: (total, completed) =>
    `You have ${total} ${stateOf(completed)}${total === 1 ? 'task' : 'tasks'}:`,
  more: (count) => `… and ${count} more.`,
  thanks: 'You are welcome.',
  cannotRemind:
    'I cannot remind you: I speak only when you write to me. What is on the list, I show whenever you ask.',
  plan: ({ state, priority, labels = [] }) => [
    ...(state ? [state === 'doing' ? 'in progress' : state] : []),
    ...(priority ? [`${priority} priority`] : []),
    ...labels.map((label) => `#${label}`),
  ],
  noneLike: 'No open task is like that.',
  notOffered: 'This server does not offer that to the chat.',
  noRequest: (words) =>
    words ? `I found no request about “${words}”.` : 'There are no requests in this project yet.',
  noReason: (place) => `No request that I know of led to ${place}.`,
  nothingFound: (words) => `I found nothing about “${words}”.`,
  requestHead: ({ source, index, timestamp }) =>
    `Request ${index}${source ? ` to ${source}` : ''}, ${dateOf(timestamp)}:`,
  state: ({ state, against, files, ended, commits }) =>
    [
      `${STATES.get(state) ?? state}${against.length > 0 ? ` (${against.join(', ')})` : ''}`,
      ...files.slice(0, MAX_FILES).map(({ path }) => path),
      ...ended,
      ...commits.map(({ sha, subject }) => `commit ${[sha, subject].filter(Boolean).join(' ')}`),
    ].join('; '),
}

const MAX_FILES = 5

const STATES = new Map([
  ['asked', 'asked, nothing was done that I can see'],
  ['worked_on', 'worked on, nothing was changed'],
])

function nameOf(reference: Parameters<Wording['notFound']>[0]): string {
  if ('id' in reference) return `${reference.id}`
  if ('words' in reference) return `like “${reference.words}”`
  return 'there'
}

/** Why a call failed, without the tools' own names, and what to do next. */
function sentence({ error = '', errorType = 'unexpected_error' }: Result): string {
  const next = kindOf(errorType).isTransient ? WAIT : (NEXT_STEPS[errorType] ?? LIST_FIRST)
  const plain = error.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) => name.replaceAll('_', ' '))
  return `${plain.charAt(0).toLowerCase()}${plain.slice(1)}. ${next}`
}
