import * as z from 'zod'

const noNul = (text: string) => !text.includes('\0')
const NUL_MESSAGE = 'must not contain NUL characters'

export const taskSchema = z.object({
  id: z.int(),
  title: z.string(),
  description: z.string().nullable(),
  completed: z.boolean(),
  created_at: z.string(),
  updated_at: z.string().optional(),
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

export const taskId = z.int().min(1, 'task_id must be 1 or greater')
