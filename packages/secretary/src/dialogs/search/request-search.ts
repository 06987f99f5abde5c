export interface RequestHit {
  readonly sessionId: string
  /** Position of the request in its dialog, from 1. */
  readonly position: number
  readonly score: number
  /** Who shares it, where it is not the asker's own. */
  readonly by?: string
}

export interface RequestQuery {
  readonly text: string
  /** Who asks. */
  readonly user: string
  /** Absolute path of the project's root. */
  readonly project: string
  readonly limit: number
}

/** Finds requests by words and meaning. Undefined where the index is not ready: then words alone decide. */
export interface RequestSearch {
  search(query: RequestQuery, signal: AbortSignal): Promise<readonly RequestHit[] | undefined>
}
