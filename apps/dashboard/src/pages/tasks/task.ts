import type { Task } from '../../../../../src/tasks/task-store.ts'
import type { RequestLink } from './request-links.ts'

export interface TaskList {
  readonly tasks: readonly Task[]
  readonly total: number
}

export type Links = ReadonlyMap<number, RequestLink>
