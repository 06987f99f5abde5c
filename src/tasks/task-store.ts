/** As callers see it: field names are the contract's. */
export interface Task {
  readonly id: number
  readonly title: string
  readonly description: string | null
  readonly completed: boolean
  readonly created_at: string
  readonly updated_at?: string
}

export interface NewTask {
  readonly title: string
  readonly description?: string
  readonly completed: boolean
}

export interface TaskFilter {
  readonly completed?: boolean
  /** Only tasks with all of these words. */
  readonly text?: string
  readonly limit: number
  readonly offset: number
}

export type TaskChanges = Partial<NewTask>

/** What the family needs from storage. Every method sees the given user's tasks alone. */
export interface TaskStore {
  add(user: string, task: NewTask, now: string): Promise<Task>
  list(user: string, filter: TaskFilter): Promise<{ tasks: Task[]; total: number }>
  find(user: string, id: number): Promise<Task | undefined>
  /** The task, if it was open until now. */
  complete(user: string, id: number, now: string): Promise<Task | undefined>
  update(user: string, id: number, changes: TaskChanges, now: string): Promise<Task | undefined>
  remove(user: string, id: number): Promise<boolean>
}
