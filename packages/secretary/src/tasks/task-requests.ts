/** Which request of which dialog a task came from, with what a reader of the dialog wants to know of the task. */
export interface RequestLink {
  readonly task_id: number
  readonly session_id: string
  readonly request_index: number
  readonly title: string
  readonly completed: boolean
}

export interface LinkFilter {
  readonly sessionId?: string
  readonly limit: number
}

/** Kept apart from the tasks, whose shape the contract fixes. Every method sees the given user's tasks alone. */
export interface TaskRequests {
  /** Whether there was such a task. */
  link(user: string, taskId: number, sessionId: string, index: number): Promise<boolean>
  unlink(user: string, taskId: number): Promise<boolean>
  /** The newest tasks first. */
  list(user: string, filter: LinkFilter): Promise<RequestLink[]>
}
