import type { Log } from '@secretary-mcp/core/log.ts'
import type { DialogStore } from '@secretary-mcp/secretary/dialogs/dialog-store.ts'
import { Dialogs } from '@secretary-mcp/secretary/dialogs/dialogs.ts'
import { memoryDialogStore } from '@secretary-mcp/secretary/dialogs/memory-dialog-store.ts'
import { vscodeIn } from '@secretary-mcp/transcripts/sources/vscode.ts'
import type { ChatPlaces } from './chat-places.ts'
import { DialogWords } from './dialog-words.ts'
import { type EditorToolbox, editorToolbox } from './editor-toolbox.ts'

/** The files belong to whoever runs the editor. */
const OWNER = 'editor'
const MAX_ANSWER = 1_000_000

/** What reads the chats of VS Code: the same code as the server's, over an index in memory. */
export interface ChatReader {
  readonly dialogs: Dialogs
  readonly store: DialogStore
  readonly words: DialogWords
  readonly toolbox: EditorToolbox
  readonly user: string
}

export function chatReader(places: ChatPlaces, log: Log, changed: () => void): ChatReader {
  const store = memoryDialogStore()
  const sources = [vscodeIn([places.user], { longestAnswer: MAX_ANSWER })]
  const dialogs = new Dialogs({ store, sources, log, user: OWNER })
  dialogs.onChange(changed)
  const words = new DialogWords(dialogs)
  return { dialogs, store, words, toolbox: editorToolbox(dialogs, log), user: OWNER }
}
