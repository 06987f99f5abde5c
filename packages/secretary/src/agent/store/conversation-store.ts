import * as z from 'zod'
import type { PendingCall, Waiting } from '../agent.ts'
import type {
  Conversation,
  ConversationStore,
  StoredMessage,
} from '../conversation-store.ts'
import { redact, redactIn } from '@secretary-mcp/core/redact.ts'
import type { Database } from '../../storage/database.ts'
import { storedJson } from '../../storage/stored-json.ts'

const pendingCall: z.ZodType<PendingCall> = z.object({ name: z.string(), args: z.unknown() })
const question = z.object({ by: z.enum(['model', 'rules']), question: z.string() })
const kept = z.object({
  name: z.string().optional(),
  args: z.unknown().optional(),
  waiting: z.custom<Waiting>((value) => question.safeParse(value).success).optional(),
  undo: z.array(pendingCall).optional(),
})

interface Row {
  id: string
  user_id: string
  title: string
  created_at: string
  updated_at: string
}

export function createConversationStore(database: Database): ConversationStore {
  return {
    async create({ id, user, title, createdAt, updatedAt }) {
      const row = {
        id,
        user_id: user,
        title: redact(title),
        created_at: createdAt,
        updated_at: updatedAt,
      }
      await database.use((db) => db.insertInto('conversations').values(row).execute())
    },

    async find(id) {
      const row = await database.use((db) =>
        db.selectFrom('conversations').selectAll().where('id', '=', id).executeTakeFirst(),
      )
      return row && conversationOf(row)
    },

    async list(user, { limit, offset }) {
      return database.use(async (db) => {
        const mine = db.selectFrom('conversations').where('user_id', '=', user)
        const { total } = await mine
          .select((e) => e.fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow()
        const rows = await mine
          .selectAll()
          .select((e) => [
            e
              .selectFrom('messages')
              .select((m) => m.fn.countAll<number>().as('n'))
              .whereRef('conversation_id', '=', 'conversations.id')
              .as('message_count'),
            e
              .selectFrom('messages')
              .select('content')
              .whereRef('conversation_id', '=', 'conversations.id')
              .orderBy('id', 'desc')
              .limit(1)
              .as('last_message'),
          ])
          .orderBy('updated_at', 'desc')
          .orderBy('id')
          .limit(limit)
          .offset(offset)
          .execute()
        const conversations = rows.map((row) => ({
          ...conversationOf(row),
          messageCount: Number(row.message_count),
          lastMessage: row.last_message ?? '',
        }))
        return { conversations, total: Number(total) }
      })
    },

    async rename(id, title, before) {
      const { numUpdatedRows } = await database.use((db) => {
        const renamed = db
          .updateTable('conversations')
          .set({ title: redact(title) })
          .where('id', '=', id)
        return (
          before === undefined ? renamed : renamed.where('title', '=', before)
        ).executeTakeFirst()
      })
      return numUpdatedRows > 0n
    },

    async remove(id) {
      await database.use(async (db) => {
        await db.deleteFrom('messages').where('conversation_id', '=', id).execute()
        await db.deleteFrom('conversations').where('id', '=', id).execute()
      })
    },

    async add(conversationId, { sender, content, createdAt, ...kept }) {
      const row = {
        conversation_id: conversationId,
        sender,
        content: redact(content),
        pending: keptText(redactIn(kept)),
        created_at: createdAt,
      }
      await database.use((db) =>
        db.transaction().execute(async (trx) => {
          await trx.insertInto('messages').values(row).execute()
          await trx
            .updateTable('conversations')
            .set({ updated_at: createdAt })
            .where('id', '=', conversationId)
            .execute()
        }),
      )
    },

    async latest(conversationId, limit) {
      const rows = await database.use((db) =>
        db
          .selectFrom('messages')
          .selectAll()
          .where('conversation_id', '=', conversationId)
          .orderBy('id', 'desc')
          .limit(limit)
          .execute(),
      )
      return rows.reverse().map(({ sender, content, pending, created_at }) => ({
        sender: sender === 'ai' ? ('ai' as const) : ('user' as const),
        content,
        createdAt: created_at,
        ...keptOf(pending),
      }))
    },

    async forgetBefore(time) {
      await database.use(async (db) => {
        const old = db.selectFrom('conversations').select('id').where('updated_at', '<', time)
        await db.deleteFrom('messages').where('conversation_id', 'in', old).execute()
        await db.deleteFrom('conversations').where('updated_at', '<', time).execute()
      })
    },
  }
}

function conversationOf({ id, user_id, title, created_at, updated_at }: Row): Conversation {
  return { id, user: user_id, title, createdAt: created_at, updatedAt: updated_at }
}

type Kept = Pick<StoredMessage, 'pending' | 'waiting' | 'undo'>

/** One column has all that the next message may need; a pending call keeps its older shape. */
function keptText({ pending, waiting, undo }: Kept): string | null {
  if (!pending && !waiting && !undo) return null
  return JSON.stringify({ ...pending, waiting, undo })
}

/** A confirmation that cannot be read is asked for again. */
function keptOf(text: string | null): Kept {
  const stored = text === null ? undefined : storedJson(text, kept)
  if (!stored) return {}
  const { name, args, waiting, undo } = stored
  return {
    ...(name === undefined ? {} : { pending: { name, args } }),
    ...(waiting ? { waiting } : {}),
    ...(undo ? { undo } : {}),
  }
}
