import type { ChatEvent } from '@secretary-mcp/secretary/serve/api/chat-routes.ts'
import { call, listen } from '../../live/api.ts'
import type { AnswerOf } from '../../live/api-types.ts'
import { readEvents } from '../../live/sse.ts'
import { changed, everything } from '../../live/topics.ts'

export type Conversation = AnswerOf<'get /api/v1/conversations'>['conversations'][number]
type Reply = AnswerOf<'post /api/v1/chat'>
export type PendingCall = NonNullable<Reply['context']['needs_confirmation']>

/** What is stored of a message, and what was seen of it here. */
export interface Message extends Omit<Reply['message'], 'timestamp'> {
  readonly timestamp?: string
  readonly uses?: readonly ToolUse[]
}

export interface ToolUse {
  readonly name: string
  readonly args: unknown
  readonly state: 'running' | 'done' | 'failed'
}

export interface Progress {
  /** The server has the message, in this conversation. */
  kept(conversationId: string): void
  text(delta: string): void
  use(name: string, args: unknown): void
  used(name: string, failed: boolean): void
}

export function listConversations(signal: AbortSignal) {
  return call('get /api/v1/conversations', { query: { limit: 50 }, signal })
}

export function readConversation(id: string, signal: AbortSignal) {
  return call('get /api/v1/conversations/{id}', { params: { id }, signal })
}

export async function renameConversation(
  id: string,
  body: { title: string; before: string },
): Promise<void> {
  await call('patch /api/v1/conversations/{id}', { params: { id }, body })
  changed('chat')
}

export async function forgetConversation(id: string): Promise<void> {
  await call('delete /api/v1/conversations/{id}', { params: { id } })
  changed('chat')
}

/** Says something and reports what happens until the answer is whole. */
export async function chat(
  message: string,
  conversationId: string | undefined,
  progress: Progress,
  signal: AbortSignal,
): Promise<Reply> {
  const body = { message, conversation_id: conversationId }
  const response = await listen('post /api/v1/chat', { body, signal })
  for await (const { event, data } of readEvents(response)) {
    const sent: ChatEvent = { type: event, ...JSON.parse(data) }
    if (sent.type === 'conversation') progress.kept(sent.conversation_id)
    else if (sent.type === 'text') progress.text(sent.delta)
    else if (sent.type === 'tool') progress.use(sent.name, sent.args)
    else if (sent.type === 'tool_result') progress.used(sent.name, sent.isError)
    else if (sent.type === 'error') throw new Error(sent.message)
    else if (sent.type === 'done') {
      changed(...everything)
      return sent
    }
  }
  throw new Error('The answer was cut off. Send the message again.')
}
