import type { Dialog, Turn } from '../../../../src/dialogs/dialog.ts'

/** What the server adds to the chats of this editor. */
export interface OtherAgents {
  /** Of the open folders or of all; newest first. Empty where there is no server. */
  list(everywhere: boolean): Promise<Dialog[]>
  find(sessionId: string): Promise<Dialog | undefined>
  /** The newest. */
  turns(dialog: Dialog, most: number): Promise<Turn[]>
  /** What was done for a request, a line each. */
  deeds(sessionId: string, position: number): Promise<string[]>
  /** A tool of the server; the JSON of its answer. */
  call(name: string, input: object, signal: AbortSignal): Promise<string>
}
