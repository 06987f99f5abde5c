import type { AnswerOf } from '../../live/api-types.ts'

export type ToolListing = AnswerOf<'get /api/v1/tools'>['tools'][number]
export type Schema = ToolListing['inputSchema']
export type Stats = AnswerOf<'get /api/v1/stats'>
export type ToolStats = Stats['tools'][number]
export type HourStats = Stats['hours'][number]
