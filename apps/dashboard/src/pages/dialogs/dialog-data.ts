import type { ShownDialog, SourceName } from '../../../../../src/dialogs/dialog.ts'
import type { DialogFilter, Facets } from '../../../../../src/dialogs/dialog-store.ts'
import { get } from '../../live/api.ts'
import type { Page } from '../../live/use-pages.ts'

export type Dialog = ShownDialog
export type ChosenDialogs = Pick<DialogFilter, 'since' | 'until'> & {
  readonly source?: string
  readonly project?: string
}

export interface RequestText {
  readonly index: number
  readonly timestamp: number
  readonly request: string
}

export interface Thread {
  readonly dialog: Dialog
  /** Another one means that the dialog has changed. */
  readonly revision: string
  readonly requests: readonly RequestText[]
  readonly total: number
}

export async function listDialogs(
  filter: ChosenDialogs,
  offset: number,
  limit: number,
  signal: AbortSignal,
): Promise<Page<Dialog>> {
  const query = { ...filter, limit, offset }
  const { dialogs, total } = await get<{ dialogs: Dialog[]; total: number }>(
    '/api/v1/dialogs',
    query,
    signal,
  )
  return { items: dialogs, total }
}

export function listFacets(signal: AbortSignal): Promise<Facets> {
  return get('/api/v1/dialogs/facets', {}, signal)
}

export function readThread(
  session: string,
  offset: number,
  limit: number,
  signal: AbortSignal,
): Promise<Thread> {
  return get('/api/v1/dialogs/thread', { session, offset, limit }, signal)
}

export interface Answer {
  readonly index: number
  /** As much as was asked for. */
  readonly answer: string
  readonly length: number
}

const FIRST_SIGHT = 1_500
const LONGEST = 200_000

export async function readAnswers(
  session: string,
  offset: number,
  limit: number,
  signal: AbortSignal,
): Promise<readonly Answer[]> {
  const query = { session, offset, limit, longest: FIRST_SIGHT }
  return (await get<{ answers: Answer[] }>('/api/v1/dialogs/answers', query, signal)).answers
}

export async function readWholeAnswer(session: string, index: number): Promise<Answer | undefined> {
  const query = { session, offset: index - 1, limit: 1, longest: LONGEST }
  return (await get<{ answers: Answer[] }>('/api/v1/dialogs/answers', query)).answers[0]
}

const AGENTS: Readonly<Record<SourceName, string>> = {
  vscode: 'VS Code',
  'claude-code': 'Claude Code',
  codex: 'Codex',
  'gemini-cli': 'Gemini CLI',
  'copilot-cli': 'Copilot CLI',
  cursor: 'Cursor',
  opencode: 'opencode',
  cline: 'Cline',
}

/** The name people know an agent by. */
export function agentName(source: string): string {
  return (AGENTS as Readonly<Record<string, string>>)[source] ?? source
}
