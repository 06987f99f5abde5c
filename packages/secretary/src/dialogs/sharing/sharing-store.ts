import type { Deed } from '@secretary-mcp/transcripts/deeds/deed.ts'
import type { SourceName } from '@secretary-mcp/transcripts/source-names.ts'

/** One request as it is shared: without secrets, and without what tells of the machine. */
export interface RequestToShare {
  /** From 1, as in the dialog. */
  readonly position: number
  /** ISO 8601. */
  readonly askedAt: string
  readonly request: string
  readonly answer?: string
  /** Paths in them are those of the repository. */
  readonly deeds: readonly Deed[]
}

export interface DialogToShare {
  readonly user: string
  /** Its id. */
  readonly space: string
  readonly sessionId: string
  /** Names the repository, whoever has a clone of it. */
  readonly project: string
  readonly source: SourceName
  readonly requests: readonly RequestToShare[]
}

/** Names a shared request for those who may read it. */
export interface RequestName {
  /** Who shares it. */
  readonly by: string
  readonly sessionId: string
  readonly position: number
}

/** A shared request as somebody sees who may. */
export interface RequestInSpace extends RequestName {
  /** Name of the space. */
  readonly space: string
  readonly source: SourceName
  readonly askedAt: string
  readonly request: string
  readonly answer?: string
  /** Those that were changed. */
  readonly files: readonly string[]
}

export interface WorkedRequest extends RequestInSpace {
  readonly deeds: readonly Deed[]
}

/** A dialog of which something is shared. */
export interface DialogInSpace {
  readonly sessionId: string
  readonly by: string
  readonly space: string
  readonly source: SourceName
  readonly requests: number
  readonly lastAskedAt: string
  readonly sharedAt: string
}

/** The later dialogs of a project are shared as they are read. */
export interface StandingShare {
  readonly project: string
  /** Id of the space. */
  readonly spaceId: string
  readonly space: string
  /** ISO 8601. */
  readonly since: string
}

/** What somebody takes back of their own, or an operator removes. */
export interface TakenBack {
  readonly sessions?: readonly string[]
  /** Id or name of the space; all of them without one. */
  readonly space?: string
  readonly project?: string
  /** The dialog is forgotten: it leaves no mark. */
  readonly isForgotten?: boolean
  /** Who removes it, for the log, where that is somebody else. */
  readonly remover?: string
}

export interface WantedRequests {
  readonly project: string
  readonly limit: number
  /** Only those that changed this file. */
  readonly file?: string
  /** Without those of the person who asks. */
  readonly byOthers?: boolean
}

/** What sharing needs from storage. Whoever reads sees the spaces that they may read, and nothing else is counted. */
export interface SharedRequestStore {
  /**
   * Replaces what the space has of the dialog; the number of requests. A standing share leaves out what was taken back: then
   * undefined.
   */
  share(
    dialog: DialogToShare,
    now: string,
    options?: { readonly isStanding?: boolean },
  ): Promise<number | undefined>
  /** The number of dialogs that are no longer shared. */
  takeBack(user: string, taken: TakenBack, now: string): Promise<number>
  /** What a person shares, also with spaces that they have left; the latest first. */
  sharedBy(user: string): Promise<DialogInSpace[]>
  keepSharing(user: string, project: string, spaceId: string, now: string): Promise<void>
  /** False where nothing was to be stopped. */
  stopSharing(user: string, project: string, space: string): Promise<boolean>
  standing(user: string): Promise<StandingShare[]>

  /** Those of these that the user may read. */
  find(user: string, names: readonly RequestName[]): Promise<RequestInSpace[]>
  /** What one person shares of a dialog with one space; where several do, what was shared last. */
  ofSession(user: string, sessionId: string): Promise<WorkedRequest[]>
  /** The latest first. */
  latest(user: string, wanted: WantedRequests): Promise<RequestInSpace[]>
  /** The same, with what was done. */
  worked(user: string, wanted: WantedRequests): Promise<WorkedRequest[]>
  /** Dialogs of one space, the latest first. */
  inSpace(
    user: string,
    spaceId: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<{ dialogs: DialogInSpace[]; total: number }>
  /** A number for each space that rises with everything that is shared or taken back. */
  versions(spaceIds: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** All that a space has of a project, in the order of dialogs and requests. */
  ofSpace(user: string, spaceId: string, project: string): Promise<RequestInSpace[]>
}
