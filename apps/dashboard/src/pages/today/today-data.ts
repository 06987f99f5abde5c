import { call } from '../../live/api.ts'
import type { AnswerOf } from '../../live/api-types.ts'

export type Today = AnswerOf<'get /api/v1/today'>
export type Need = Today['needs'][number]
export type Asked = Today['requests'][number]
export type SetupState = AnswerOf<'get /api/v1/setup'>

/** By the person's own clock. */
export function startOfDay(): number {
  return new Date().setHours(0, 0, 0, 0)
}

export function readToday(since: number, signal: AbortSignal): Promise<Today> {
  return call('get /api/v1/today', { query: { since }, signal })
}
