import type { Dialog, ShownDialog, Turn } from '@secretary-mcp/transcripts/dialog.ts'

/** A dialog of any agent, as the views show it. */
export type ListedDialog = Dialog & Pick<ShownDialog, 'archived'>

/** Places of requests, from 1; the last one is part of it, and without it all that follow are. */
export interface TurnRange {
  readonly from: number
  readonly to?: number
}

/** What the server adds to the chats of this editor. */
export interface OtherAgents {
  /** Of the open folders or of all, with what the server knows of this editor's own; newest first. Empty where there is no server. */
  list(everywhere: boolean): Promise<ListedDialog[]>
  find(sessionId: string): Promise<Dialog | undefined>
  turns(dialog: Dialog, range: TurnRange): Promise<Turn[]>
  /** What was done for a request, a line each. */
  deeds(sessionId: string, position: number): Promise<string[]>
  /** A tool of the server; the JSON of its answer. */
  call(name: string, input: object, signal: AbortSignal): Promise<string>
}
