import type { Result } from '@secretary-mcp/core/result.ts'
import type { Language } from '../language.ts'
import { englishWording } from './english-wording.ts'
import type { KnownTask } from './find-task.ts'
import type { TaskIntent, TaskReference } from './intent.ts'
import { russianWording } from './russian-wording.ts'

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
}

export function wordingIn(language: Language): Wording {
  return language === 'ru' ? russianWording : englishWording
}

export const MOST_SHOWN = 20

export function listText(
  { tasks, total }: { tasks: readonly KnownTask[]; total: number },
  wording: Wording,
  completed?: boolean,
): string {
  if (total === 0) return wording.none(completed)
  const lines = tasks.slice(0, MOST_SHOWN).map(line)
  const more = total > lines.length ? `\n${wording.more(total - lines.length)}` : ''
  return `${wording.heading(total, completed)}\n${lines.join('\n')}${more}`
}

export function line({ id, title, completed }: KnownTask): string {
  return `${completed ? '✓' : '·'} ${id}  ${title}`
}
