import { get, json, send } from '../../live/api.ts'
import { readEvents } from '../../live/sse.ts'
import { changed, everything } from '../../live/topics.ts'

export interface Conversation {
  readonly id: string
  readonly title: string
  readonly updated_at: string
  readonly message_count: number
  readonly last_message: string
}

export interface Message {
  readonly sender: 'user' | 'ai'
  readonly content: string
  readonly timestamp?: string
  readonly uses?: readonly ToolUse[]
}

export interface ToolUse {
  readonly name: string
  readonly args: unknown
  readonly state: 'running' | 'done' | 'failed'
}

export interface PendingCall {
  readonly name: string
  readonly args: unknown
}

export interface Reply {
  readonly conversation_id: string
  readonly message: Message
  readonly context: { readonly needs_confirmation?: PendingCall }
}

export interface Progress {
  /** The server has the message, in this conversation. */
  kept(conversationId: string): void
  text(delta: string): void
  use(name: string, args: unknown): void
  used(name: string, failed: boolean): void
}

export function listConversations(
  signal: AbortSignal,
): Promise<{ conversations: Conversation[]; total: number }> {
  return get('/api/v1/conversations', { limit: 50 }, signal)
}

export interface StoredConversation {
  readonly messages: readonly Message[]
  readonly needs_confirmation?: PendingCall
}

export function readConversation(id: string, signal: AbortSignal): Promise<StoredConversation> {
  return get(`/api/v1/conversations/${encodeURIComponent(id)}`, {}, signal)
}

export async function forgetConversation(id: string): Promise<void> {
  await json('DELETE', `/api/v1/conversations/${encodeURIComponent(id)}`)
  changed('chat')
}

/** Says something and reports what happens until the answer is whole. */
export async function chat(
  message: string,
  conversationId: string | undefined,
  progress: Progress,
  signal: AbortSignal,
): Promise<Reply> {
  const body = { message, ...(conversationId ? { conversation_id: conversationId } : {}) }
  const response = await send('POST', '/api/v1/chat', { body, signal, accept: 'text/event-stream' })
  for await (const { event, data } of readEvents(response)) {
    const parsed = JSON.parse(data)
    if (event === 'conversation') progress.kept(String(parsed.conversation_id))
    else if (event === 'text') progress.text(String(parsed.delta))
    else if (event === 'tool') progress.use(String(parsed.name), parsed.args)
    else if (event === 'tool_result') progress.used(String(parsed.name), Boolean(parsed.isError))
    else if (event === 'error') throw new Error(String(parsed.message))
    else if (event === 'done') {
      changed(...everything)
      return parsed as Reply
    }
  }
  throw new Error('The answer broke off; say it again')
}
