import { Failure } from '@secretary-mcp/core/failure.ts'
import * as z from 'zod'
import type { AgentEvent, PendingCall } from '../../agent/agent.ts'
import type {
  ChatReply,
  ChatRequest,
  Conversation,
  StoredMessage,
} from '../../agent/conversations.ts'
import { actionTaken, modifiedTasks } from '../../agent/tool-runner.ts'
import type { App } from '../../app/app.ts'
import { eventStream } from './live-feed.ts'
import { type RouteRequest, route } from './route.ts'

const CHATS_PER_MINUTE = 60
const LAST_MESSAGE = 100

const chatBody = z.object({
  message: z.string().trim().min(1).max(10_000).describe('What the person says'),
  conversation_id: z
    .string()
    .max(100)
    .optional()
    .describe('Conversation to continue; a new one starts if omitted'),
})
const message = z.object({
  content: z.string(),
  sender: z.enum(['user', 'ai']),
  timestamp: z.string(),
})
const pendingCall = z
  .object({ name: z.string(), args: z.unknown() })
  .describe('A call awaiting confirmation')
const reply = z.object({
  conversation_id: z.string(),
  message,
  context: z.object({
    tasks_modified: z.array(z.int()),
    action_taken: z.string(),
    conversation_created: z.boolean(),
    needs_confirmation: pendingCall.optional(),
  }),
})
const conversation = z.object({
  id: z.string(),
  title: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
})
const summary = conversation.extend({ message_count: z.int(), last_message: z.string() })

/** What is sent while an answer is made, each as an event of that name. */
export type ChatEvent =
  | AgentEvent
  | { readonly type: 'conversation'; readonly conversation_id: string }
  | { readonly type: 'error'; readonly error: string; readonly message: string }
  | ({ readonly type: 'done' } & z.output<typeof reply>)

type ChatCall = RouteRequest<unknown, unknown, z.output<typeof chatBody>>

export function chatRoutes(app: App) {
  const { conversations } = app
  const ask = (
    { caller, body, signal }: ChatCall,
    listeners: Pick<ChatRequest, 'onEvent' | 'onKept'> = {},
  ): ChatRequest => ({
    caller,
    message: body.message,
    conversationId: body.conversation_id,
    signal,
    ...listeners,
  })

  return [
    route({
      method: 'post',
      path: '/api/v1/chat',
      tag: 'chat',
      summary:
        'Send a message to the agent; answers as server-sent events if the client accepts text/event-stream',
      body: chatBody,
      answers: {
        200: reply,
        403: undefined,
        404: undefined,
        429: undefined,
      },
      handle: (request) =>
        limited(app, request.user, async () => {
          if (!request.headers.get('accept')?.includes('text/event-stream'))
            return { status: 200 as const, body: replyOf(await conversations.chat(ask(request))) }
          if (request.body.conversation_id)
            await conversations.require(request.body.conversation_id, request.user)
          return eventStream(
            async (send) => {
              const reply = await conversations.chat(
                ask(request, {
                  onEvent: (event) => send(event.type, event),
                  onKept: (conversation_id) => send('conversation', { conversation_id }),
                }),
              )
              send('done', replyOf(reply))
            },
            app.log,
            request.signal,
          )
        }),
    }),
    route({
      method: 'post',
      path: '/api/{user_id}/chat',
      tag: 'chat',
      summary: 'The same in a short form; the user in the path must be the caller',
      body: chatBody,
      answers: {
        200: z.object({
          conversation_id: z.string(),
          response: z.string(),
          tool_calls: z.array(z.record(z.string(), z.unknown())),
        }),
        403: undefined,
      },
      handle: (request) =>
        limited(app, request.user, async () => {
          if (request.params.user_id !== request.user)
            throw new Failure('forbidden', 'You may chat only as yourself')
          const { conversationId, text, uses } = await conversations.chat(ask(request))
          const tool_calls = uses.map(({ name, args, body, result }) => ({
            name,
            arguments: args,
            result: body,
            is_error: !result.success,
          }))
          return {
            status: 200 as const,
            body: { conversation_id: conversationId, response: text, tool_calls },
          }
        }),
    }),
    route({
      method: 'get',
      path: '/api/v1/conversations',
      tag: 'chat',
      summary: 'The caller’s conversations, newest first',
      query: z.object({
        limit: z.coerce
          .number()
          .int()
          .min(1)
          .max(100)
          .default(20)
          .describe('Maximum number to return'),
        offset: z.coerce.number().int().min(0).default(0).describe('Number to skip'),
      }),
      answers: {
        200: z.object({
          conversations: z.array(summary),
          total: z.int(),
          limit: z.int(),
          offset: z.int(),
        }),
      },
      async handle({ user, query }) {
        const { conversations: found, total } = await conversations.list(user, query)
        const listed = found.map((one) => ({
          ...shown(one),
          message_count: one.messageCount,
          last_message: one.lastMessage.slice(0, LAST_MESSAGE),
        }))
        return {
          status: 200,
          body: { conversations: listed, total, limit: query.limit, offset: query.offset },
        }
      },
    }),
    route({
      method: 'get',
      path: '/api/v1/conversations/{id}',
      tag: 'chat',
      summary: 'A conversation with its messages',
      answers: {
        200: conversation.extend({
          messages: z.array(message),
          needs_confirmation: pendingCall.optional(),
        }),
        403: undefined,
        404: undefined,
      },
      async handle({ params, user }) {
        const { conversation: found, messages } = await conversations.messages(params.id, user)
        const waiting = confirmationOf(messages.at(-1)?.pending)
        return {
          status: 200,
          body: { ...shown(found), messages: messages.map(shownMessage), ...waiting },
        }
      },
    }),
    route({
      method: 'patch',
      path: '/api/v1/conversations/{id}',
      tag: 'chat',
      summary: 'Rename a conversation',
      body: z.object({
        title: z.string().trim().min(1).max(200),
        before: z.string().optional().describe('The one that the person saw; refused if changed'),
      }),
      answers: { 204: undefined, 403: undefined, 404: undefined, 409: undefined },
      async handle({ params, user, body }) {
        await conversations.rename(params.id, user, body.title, body.before)
        return { status: 204 }
      },
    }),
    route({
      method: 'delete',
      path: '/api/v1/conversations/{id}',
      tag: 'chat',
      summary: 'Delete a conversation',
      answers: { 204: undefined, 403: undefined, 404: undefined },
      async handle({ params, user }) {
        await conversations.remove(params.id, user)
        return { status: 204 }
      },
    }),
  ]
}

async function limited<A>(app: App, user: string, work: () => Promise<A>) {
  const refused = await app.limits.take('chat', CHATS_PER_MINUTE, user)
  if (!refused) return work()
  const seconds = Math.ceil(refused.retryAfterMs / 1000)
  return {
    status: 429,
    headers: { 'retry-after': String(seconds) },
    body: { error: 'rate_limited', message: `Too many messages; try again in ${seconds} s` },
  } as const
}

function replyOf({
  conversationId,
  created,
  text,
  timestamp,
  uses,
  pending,
}: ChatReply): z.input<typeof reply> {
  return {
    conversation_id: conversationId,
    message: { content: text, sender: 'ai', timestamp },
    context: {
      tasks_modified: modifiedTasks(uses),
      action_taken: actionTaken(uses),
      conversation_created: created,
      ...confirmationOf(pending),
    },
  }
}

function confirmationOf(pending?: PendingCall): { needs_confirmation?: PendingCall } {
  return pending ? { needs_confirmation: pending } : {}
}

function shown({ id, title, createdAt, updatedAt }: Conversation) {
  return { id, title, created_at: createdAt, updated_at: updatedAt }
}

function shownMessage({ sender, content, createdAt }: StoredMessage) {
  return { sender, content, timestamp: createdAt }
}
