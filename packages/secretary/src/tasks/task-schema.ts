import * as z from 'zod'

const noNul = (text: string) => !text.includes('\0')
const NUL_MESSAGE = 'must not contain NUL characters'

/** A task that is neither open nor done says so. */
export const TASK_STATES = ['open', 'doing', 'blocked', 'done'] as const
export type TaskState = (typeof TASK_STATES)[number]

export const MOST = { labels: 20, files: 50 } as const

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
export const labels = z.array(word).max(MOST.labels)
export const files = z
  .array(z.string().trim().min(1).max(500).refine(noNul, NUL_MESSAGE))
  .max(MOST.files)
