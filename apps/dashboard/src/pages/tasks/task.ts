import type { AnswerOf } from '../../live/api-types.ts'
import type { RequestLink } from './request-links.ts'

export type TaskList = AnswerOf<'get /api/v1/tasks'>
export type Task = TaskList['tasks'][number]
export type Links = ReadonlyMap<number, RequestLink>
