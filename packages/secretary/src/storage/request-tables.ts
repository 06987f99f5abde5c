/** A request that somebody shares with a space, with what was done for it. */
export interface SharedRequestTable {
  space_id: string
  user_id: string
  session_id: string
  position: number
  /** The same for every clone of the repository. */
  project: string
  source: string
  asked_at: string
  request: string
  answer: string | null
  /** Files that were changed, a line each, with a line break before and after each. */
  files: string
  /** JSON list of packed deeds. */
  deeds: string
  shared_at: string
}

/** The later dialogs of a project are shared without being asked again. */
export interface RequestSharingTable {
  user_id: string
  project: string
  space_id: string
  since: string
}

/** Taken back, and so left out of what is shared without being asked again. */
export interface UnsharedDialogTable {
  user_id: string
  session_id: string
  space_id: string
}
