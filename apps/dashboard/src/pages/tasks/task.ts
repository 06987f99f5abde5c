import type { RequestLink } from './request-links.ts'

export interface Task {
  readonly id: number
  readonly title: string
  readonly description: string | null
  readonly completed: boolean
  readonly created_at: string
  readonly updated_at?: string
}

export interface TaskList {
  readonly tasks: readonly Task[]
  readonly total: number
}

export type Links = ReadonlyMap<number, RequestLink>
