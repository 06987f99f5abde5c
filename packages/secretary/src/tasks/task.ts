import * as z from 'zod'

const noNul = (text: string) => !text.includes('\0')
const NUL_MESSAGE = 'must not contain NUL characters'

/** A task that is neither open nor done says so. */
const TASK_STATES = ['open', 'doing', 'blocked', 'done'] as const
export type TaskState = (typeof TASK_STATES)[number]

export const MAX = { labels: 20, files: 50 } as const

/** What the contract fixes; what nobody gave of the rest is absent. */
export const taskSchema = z.object({
  id: z.int(),
  title: z.string(),
  description: z.string().nullable(),
  completed: z.boolean(),
  created_at: z.string(),
  updated_at: z.string().optional(),
  state: z.enum(['doing', 'blocked']).optional(),
  priority: z.enum(['high', 'low']).optional(),
  labels: z.array(z.string()).optional(),
  files: z.array(z.string()).optional(),
  space: z.string().optional(),
  owner: z.string().optional().describe('Who shares it'),
})

/** With its place among the others. */
export const plannedTaskSchema = taskSchema.extend({
  project: z.string().optional().describe('Folder of the project it was added in'),
  position: z.number().optional().describe('Place among the others; minus the id if omitted'),
})

export const title = z
  .string()
  .trim()
  .min(1, 'Title must not be empty')
  .max(200, 'Title must be at most 200 characters')
  .refine(noNul, NUL_MESSAGE)

export const description = z
  .string()
  .max(1000, 'Description must be at most 1000 characters')
  .refine(noNul, NUL_MESSAGE)

/** Of a list agents are told the kind alone, to save tokens; what it is piped into is checked all the same. */
export const texts = z.array(z.string())

export const taskId = z.int().min(1, 'task_id must be 1 or greater')
export const state = z.enum(TASK_STATES)
export const priority = z.enum(['high', 'normal', 'low'])
const word = z.string().trim().min(1).max(50).refine(noNul, NUL_MESSAGE)
export const labels = z.array(word).max(MAX.labels)
export const files = z
  .array(z.string().trim().min(1).max(500).refine(noNul, NUL_MESSAGE))
  .max(MAX.files)

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
