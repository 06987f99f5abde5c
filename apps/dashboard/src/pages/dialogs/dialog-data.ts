import { get } from '../../live/api.ts'
import type { Page } from '../../live/use-pages.ts'

export interface Dialog {
  readonly sessionId: string
  readonly source: string
  readonly project?: string
  readonly title?: string
  readonly firstSeen: number
  readonly lastSeen: number
  readonly requestsCount: number
  readonly status: string
  readonly firstRequestPreview?: string
  readonly modelId?: string
}

export interface DialogFilter {
  readonly source?: string
  readonly project?: string
  readonly since?: number
  readonly until?: number
}

export interface RequestHit {
  readonly sessionId: string
  readonly source: string
  readonly index: number
  readonly timestamp: number
  readonly request: string
  readonly score: number
}

export interface RequestText {
  readonly index: number
  readonly timestamp: number
  readonly request: string
}

export interface Thread {
  readonly dialog: Dialog
  readonly requests: readonly RequestText[]
  readonly total: number
}

export async function listDialogs(
  filter: DialogFilter,
  offset: number,
  limit: number,
  signal: AbortSignal,
): Promise<Page<Dialog>> {
  const query = { ...filter, limit, offset }
  const { dialogs, total } = await get<{ dialogs: Dialog[]; total: number }>('/api/v1/dialogs', query, signal)
  return { items: dialogs, total }
}

export function listFacets(signal: AbortSignal): Promise<{ sources: string[]; projects: string[] }> {
  return get('/api/v1/dialogs/facets', {}, signal)
}

export function readThread(session: string, offset: number, limit: number, signal: AbortSignal): Promise<Thread> {
  return get('/api/v1/dialogs/thread', { session, offset, limit }, signal)
}

const AGENTS: Readonly<Record<string, string>> = {
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
  return AGENTS[source] ?? source
}
