import type { TaskState } from './task-schema.ts'

/** As callers see it: field names are the contract's. */
export interface Task {
  readonly id: number
  readonly title: string
  readonly description: string | null
  readonly completed: boolean
  readonly created_at: string
  readonly updated_at?: string
  readonly state?: 'doing' | 'blocked'
  readonly priority?: 'high' | 'low'
  readonly labels?: string[]
  readonly files?: string[]
  /** Name of the space that it is shared with. */
  readonly space?: string
  /** Who shares it with the space. */
  readonly owner?: string
}

/** With its place among the others. */
export interface PlannedTask extends Task {
  readonly project?: string
  readonly position?: number
}

export interface NewTask {
  readonly title: string
  readonly description?: string
  readonly completed: boolean
  readonly state?: TaskState
  readonly priority?: 'high' | 'normal' | 'low'
  readonly labels?: readonly string[]
  readonly files?: readonly string[]
  readonly project?: string
  readonly position?: number
}

export interface TaskFilter {
  readonly completed?: boolean
  readonly state?: TaskState
  readonly label?: string
  readonly project?: string
  /** Only tasks with all of these words. */
  readonly text?: string
  /** Oldest first unless told. */
  readonly sort?: 'added' | 'order'
  readonly limit: number
  readonly offset: number
}

export type TaskChanges = Partial<Omit<NewTask, 'project'>>

/** Decided by what the task says at that moment, when nobody else can change it. */
export type ChangesOf = (task: PlannedTask) => TaskChanges

/** A task as somebody saw it: every later change gives it another time. */
export interface SeenTask {
  /** Null where it had never been changed. */
  readonly updatedAt: string | null
}

export interface TaskFacets {
  readonly labels: string[]
  readonly projects: string[]
}

/**
 * What the family needs from storage. Every method sees the tasks that the given user may read, and changes those that they may
 * change: their own, and the ones of spaces in which they are more than a reader.
 */
export interface TaskStore {
  add(user: string, task: NewTask, now: string): Promise<PlannedTask>
  list(user: string, filter: TaskFilter): Promise<{ tasks: PlannedTask[]; total: number }>
  find(user: string, id: number): Promise<PlannedTask | undefined>
  /** Labels and projects that tasks have. */
  facets(user: string): Promise<TaskFacets>
  /** The task, if it was open until now. */
  complete(user: string, id: number, now: string): Promise<PlannedTask | undefined>
  update(
    user: string,
    id: number,
    changes: TaskChanges | ChangesOf,
    now: string,
  ): Promise<PlannedTask | undefined>
  /**
   * One's own, or a shared one as an operator of its space; operators of the server are those of the space of everybody. Only as it
   * was seen, where that is given.
   */
  remove(
    user: string,
    id: number,
    now: string,
    asOperator: boolean,
    seen?: SeenTask,
  ): Promise<boolean>
  /** One's own task with the members of a space. */
  share(user: string, id: number, space: string, now: string): Promise<PlannedTask | undefined>
  /** Whoever may remove a shared task may also give it back to its owner alone. */
  takeBack(user: string, id: number, now: string, asOperator: boolean): Promise<boolean>
}
