import type { Log } from '@secretary-mcp/core/log.ts'
import type { DeedStore } from './deeds/deed-store.ts'
import type { DialogStore } from './dialog-store.ts'
import type { DecisionsAbout } from './edit-notes/edit-notes.ts'
import type { KeptStore } from './keeping/kept-store.ts'
import type { PinStore } from './pins/pins.ts'
import type { RecallPorts } from './recall/recall-ports.ts'
import type { RequestSearch } from './search/request-search.ts'
import type { SharedRequestStore } from './sharing/sharing-store.ts'
import type { Source } from '@secretary-mcp/transcripts/source.ts'

export interface DialogParts {
  readonly store: DialogStore
  readonly sources: readonly Source[]
  /** Where deeds are kept; without it only words are known. */
  readonly deeds?: DeedStore
  /** Where words and deeds are kept beyond the life of their file. */
  readonly kept?: KeptStore
  /** How long a call waits for a scan. */
  readonly patienceMs?: number
  /** For how many days since its last change. */
  readonly keepDays?: number
  readonly log: Log
  /** Whose files these are: nobody else sees a dialog. */
  readonly user: string
  /** The dialog this process belongs to, where the client told it. */
  readonly session?: string
  /** The chats of the editor window that this process was started by. */
  readonly window?: string
  /** How long to wait for a dialog that an agent says it is in. */
  readonly freshMs?: number
  readonly search?: RequestSearch
  readonly recall?: RecallPorts
  readonly decisionsAbout?: DecisionsAbout
  /** Absent in an editor's reader, which keeps nothing. */
  readonly pins?: PinStore
  /** What people share with spaces. */
  readonly shared?: SharedRequestStore
}
