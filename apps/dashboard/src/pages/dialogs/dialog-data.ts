import { call } from '../../live/api.ts'
import type { AnswerOf } from '../../live/api-types.ts'
import type { Page } from '../../live/use-pages.ts'
import { shownBeginning, shownPreview } from '../../parts/shown-text.ts'

export type Dialog = AnswerOf<'get /api/v1/dialogs'>['dialogs'][number]
export type Thread = AnswerOf<'get /api/v1/dialogs/thread'>
export type RequestText = Thread['requests'][number]
export type Answer = AnswerOf<'get /api/v1/dialogs/answers'>['answers'][number]
export type LedgerEntry = AnswerOf<'get /api/v1/dialogs/ledger'>['entries'][number]

const MAX_TITLE = 120

/** What a dialog goes by: its title, else how it began. */
export function dialogTitle({
  title,
  firstRequestPreview = '',
}: Pick<Dialog, 'title' | 'firstRequestPreview'>): string {
  return title ? shownBeginning(title, MAX_TITLE) : shownPreview(firstRequestPreview)
}

export interface ChosenDialogs {
  readonly source?: string
  readonly project?: string
  readonly since?: number
}

export async function listDialogs(
  filter: ChosenDialogs,
  offset: number,
  limit: number,
  signal: AbortSignal,
): Promise<Page<Dialog>> {
  const query = { ...filter, limit, offset }
  const { dialogs, total, note } = await call('get /api/v1/dialogs', { query, signal })
  return { items: dialogs, total, note }
}

export function searchRequests(query: string, filter: ChosenDialogs, signal: AbortSignal) {
  return call('get /api/v1/dialogs/search', { query: { ...filter, query, limit: 50 }, signal })
}

export function listFacets(signal: AbortSignal) {
  return call('get /api/v1/dialogs/facets', { signal })
}

export function readThread(session: string, offset: number, limit: number, signal: AbortSignal) {
  return call('get /api/v1/dialogs/thread', { query: { session, offset, limit }, signal })
}

const FIRST_SIGHT = 1_500
const MAX_LENGTH = 200_000

export async function readAnswers(
  session: string,
  offset: number,
  limit: number,
  signal: AbortSignal,
): Promise<readonly Answer[]> {
  const query = { session, offset, limit, longest: FIRST_SIGHT }
  return (await call('get /api/v1/dialogs/answers', { query, signal })).answers
}

export async function readWholeAnswer(session: string, index: number): Promise<Answer | undefined> {
  const query = { session, offset: index - 1, limit: 1, longest: MAX_LENGTH }
  return (await call('get /api/v1/dialogs/answers', { query })).answers[0]
}

export type DialogTokens = AnswerOf<'get /api/v1/dialogs/usage'>

export function readTokens(session: string, signal: AbortSignal): Promise<DialogTokens> {
  return call('get /api/v1/dialogs/usage', { query: { session }, signal })
}

export function readLedger(session: string, offset: number, limit: number, signal: AbortSignal) {
  return call('get /api/v1/dialogs/ledger', { query: { session, offset, limit }, signal })
}

/** The end of a path tells projects apart; its beginning is the same for most of them. */
export function folderName(project: string): string {
  const parts = project.split(/[\\/]/).filter(Boolean)
  return parts.length > 2 ? `…/${parts.slice(-2).join('/')}` : project
}
