import type { JsonObject } from '@secretary-mcp/transcripts/reading/loose-json.ts'

/** A chat as VS Code holds it in memory: current to the moment, but without the session's id. */
export interface ExportedChat {
  readonly takenAt: number
  readonly requests: readonly JsonObject[]
  /** Of its requests: they tell which session it is. */
  readonly ids: ReadonlySet<string>
}

/** What VS Code has in memory before it is on the disk. */
export interface LiveChat {
  /** Of the chat in focus, where VS Code tells. */
  take(): Promise<ExportedChat | undefined>
  /** Puts it where every reader of the chat at that path finds it; `isCalling` where an answer is being written in it. */
  keep(path: string, chat: ExportedChat, isCalling: boolean): Promise<void>
}
