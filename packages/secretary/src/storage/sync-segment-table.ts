/** Logs of a person's machines; nobody else reads them. */
export interface SyncSegmentTable {
  user_id: string
  machine: string
  generation: number
  sequence: number
  /** Base64, which a backup can hold. */
  content: string
  written_at: string
}
