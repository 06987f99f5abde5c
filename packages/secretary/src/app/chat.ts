import type { Boundary } from '@secretary-mcp/core/boundary.ts'
import {
  type FunctionDefinition,
  functionDefinitionOf,
  listingOf,
} from '@secretary-mcp/core/catalogue.ts'
import type { Config } from '@secretary-mcp/core/config/config.ts'
import type { DecoratedTool } from '@secretary-mcp/core/ext-mcp-tool-decorator.ts'
import { redact, redactIn } from '@secretary-mcp/core/redact.ts'
import * as z from 'zod'
import type { Agent, AgentRequest, PendingCall, Reply, Toolbox, Waiting } from '../agent/agent.ts'
import {
  type Conversation,
  type ConversationStore,
  Conversations,
  type StoredMessage,
} from '../agent/conversations.ts'
import { createModelAgent } from '../agent/model-agent.ts'
import { parseIntents, referenceIn } from '../agent/rules/parse-intent.ts'
import type { Intent, TaskIntent } from '../agent/rules/rule.ts'
import { RuleReply } from '../agent/rules/rule-reply.ts'
import { verdictOf } from '../agent/verdict.ts'
import { type Database, storedJson } from '../storage/database.ts'
import { createTaskStore } from '../tasks/store/task-store.ts'

interface Parts {
  readonly config: Config
  readonly database: Database
  readonly boundary: Boundary
  readonly tools: ReadonlyMap<string, DecoratedTool>
}

/** The chat's part of the composition: the agents over the tools that the profile allows. */
export function createConversations({ config, database, boundary, tools }: Parts): Conversations {
  const chosen = [...tools.values()].filter(
    ({ tool }) => config.chatTools === 'all' || tool.family === 'tasks',
  )
  // Rules send nothing anywhere: they may look up what a model is not given.
  const readable = [...tools.values()].filter(
    (tool) =>
      chosen.includes(tool) || (tool.tool.effect === 'read' && LOOKED_UP.has(tool.tool.name)),
  )
  const agent = config.model
    ? lazyModelAgent(config, config.model, sparing(createToolbox(chosen, database, boundary)))
    : createRuleAgent(createToolbox(readable, database, boundary), true)
  return new Conversations({
    store: createConversationStore(database),
    agent,
    fallback: createRuleAgent(createToolbox(readable, database, boundary), false),
  })
}

const LOOKED_UP = new Set([
  'recall',
  'search_requests',
  'get_request',
  'ledger',
  'why',
  'context_search',
])

function createToolbox(
  chosen: readonly DecoratedTool[],
  database: Database,
  boundary: Boundary,
): Toolbox {
  const taskStore = createTaskStore(database)
  let definitions: FunctionDefinition[] | undefined
  return {
    get definitions() {
      definitions ??= chosen.map((tool) => functionDefinitionOf(listingOf(tool, 'compact')))
      return definitions
    },
    effectOf: (name) => chosen.find((tool) => tool.name === name)?.tool.effect,
    // What all projects and agents read is never written on the word of a model alone.
    asksFirst: (name, { role }) =>
      chosen.some(
        ({ name: known, tool: { effect, family, isOperators } }) =>
          known === name &&
          (effect === 'destroy' || (family === 'guide' && effect === 'write')) &&
          (role === 'operator' || !isOperators),
      ),
    ownName: (name) => chosen.find((tool) => tool.name === name)?.tool.name ?? name,
    nameOf: (ownName) => chosen.find(({ tool }) => tool.name === ownName)?.name,
    findTask: (id, { user }) => taskStore.find(user, id),
    async look(tool, args, caller, signal) {
      const known = chosen.find((one) => one.tool.name === tool)
      const answer = known && (await boundary.call(known.name, args, caller, { signal }))
      return answer?.result.success ? answer.result.value : undefined
    },
    call: (name, args, caller, signal) => boundary.call(name, args, caller, { signal }),
  }
}

/** A model pays for every token that it reads back: of a long list it gets the short form, and is told so. */
function sparing(toolbox: Toolbox): Toolbox {
  return {
    get definitions() {
      return toolbox.definitions
    },
    effectOf: toolbox.effectOf,
    asksFirst: toolbox.asksFirst,
    ownName: toolbox.ownName,
    nameOf: toolbox.nameOf,
    findTask: toolbox.findTask,
    look: toolbox.look,
    async call(name, args, caller, signal) {
      const answer = await toolbox.call(name, args, caller, signal)
      const isOpen = args !== null && typeof args === 'object' && !('fields' in args)
      if (name !== 'list_tasks' || !isOpen || answer.text.length <= MAX_WHOLE_LIST) return answer
      const short = { ...args, fields: SHORT_FIELDS }
      const cut = await toolbox.call(name, short, caller, signal)
      return cut.result.success ? { ...cut, text: `${cut.text}\n${LEFT_OUT}` } : answer
    },
  }
}

const MAX_WHOLE_LIST = 6_000
const SHORT_FIELDS = ['id', 'title', 'completed', 'state', 'priority']
const LEFT_OUT =
  'Left out because the list is long: descriptions, labels, files and times. Ask with a lower limit or with fields to see them.'

/** The provider's client is large: it loads with the first question. */
function lazyModelAgent(config: Config, model: string, toolbox: Toolbox): Agent {
  let agent: Promise<Agent> | undefined
  const load = async () => {
    const { createOpenAiModel } = await import('../agent/openai-model.ts')
    const { modelUrl: url, modelKey: key, modelStrict: strict } = config
    return createModelAgent(createOpenAiModel({ model, url, key, strict }), toolbox)
  }
  return {
    name: model,
    async answer(request) {
      agent ??= load()
      return (await agent).answer(request)
    },
  }
}

/** Answers the task intents without a model, through the same tools. Where it introduces itself, it does so once in a conversation. */
function createRuleAgent(toolbox: Toolbox, isIntroduced: boolean): Agent {
  return {
    name: 'rules',
    async answer(request) {
      const reply = new RuleReply(toolbox, request, isIntroduced)
      const { introduction } = reply
      const { text, ...done } = request.undo
        ? await reply.undo(request.undo)
        : ((await answerWaiting(reply, request)) ?? (await reply.understand(request.message)))
      const isFirst = request.history.length === 0 && introduction !== ''
      const whole = isFirst && !text.includes(introduction) ? `${text}\n\n${introduction}` : text
      request.onEvent({ type: 'text', delta: whole })
      return { ...done, text: whole }
    },
  }
}

type Question = Extract<Waiting, { by: 'rules' }>

/** Takes the message as the answer to what was asked; undefined where nothing was, or it is no answer. */
async function answerWaiting(reply: RuleReply, request: AgentRequest): Promise<Reply | undefined> {
  const { waiting, pending, message } = request
  if (!waiting) return undefined
  const rest = waiting.by === 'rules' ? waiting.rest : []
  const verdict = verdictOf(message, waiting.question)
  if (pending) {
    if (verdict === 'yes')
      return isAboutAll(message)
        ? reply.confirmedAll(pending, waiting.question, rest)
        : reply.confirmed(pending, waiting.question, rest)
    if (verdict) return reply.declined(verdict === 'stop' ? [] : rest, rest.length)
    const intents = parseIntents(message)
    if (intents.every(isUnclear)) return reply.askAgain(pending, waiting)
    return reply.interrupted(intents)
  }
  if (waiting.by !== 'rules') return undefined
  if (verdict === 'no' || verdict === 'stop')
    return reply.declined(verdict === 'stop' ? [] : rest, rest.length)
  const answered = filled(waiting, message)
  return answered && reply.answer([...answered, ...rest])
}

function isAboutAll(message: string): boolean {
  return /(?:^|[^\p{L}])(?:all|everything|все|всё|всех)(?:$|[^\p{L}])/iu.test(message)
}

function isUnclear({ kind }: Intent): boolean {
  return ['unknown', 'greeting', 'help', 'thanks', 'find', 'show'].includes(kind)
}

/** The intent that was asked about, with what the message adds to it. */
function filled({ wants, intent }: Question, message: string): readonly Intent[] | undefined {
  const said = parseIntents(message)
  const [first] = said
  const words = message.trim()
  if (wants === 'title')
    return first?.kind === 'add' && first.title ? said : [{ kind: 'add', title: words }]
  if (!isAboutTask(intent)) return undefined
  if (wants === 'text') {
    if (first?.kind === 'update' && (first.title ?? first.description)) return said
    return [{ ...intent, kind: 'update', title: words }]
  }
  if (said.length > 1 || (first && !isUnclear(first))) return said
  const task = referenceIn(words)
  return task && [{ ...intent, task }]
}

function isAboutTask(intent: Intent): intent is TaskIntent {
  return ['complete', 'reopen', 'delete', 'update', 'plan', 'show'].includes(intent.kind)
}

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

function createConversationStore(database: Database): ConversationStore {
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
