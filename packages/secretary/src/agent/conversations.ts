import { randomUUID } from 'node:crypto'
import type { Origin } from '@secretary-mcp/core/changes.ts'
import { Failure } from '@secretary-mcp/core/failure.ts'
import { estimateTokens } from '@secretary-mcp/core/token-estimate.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import type {
  Agent,
  AgentEvent,
  AgentRequest,
  PastMessage,
  PendingCall,
  Reply,
  ToolUse,
  Waiting,
} from './agent.ts'
import { overwrittenText } from './changes.ts'
import { ModelError } from './chat-model.ts'
import { languageOf } from './language.ts'

export interface Conversation {
  readonly id: string
  readonly user: string
  readonly title: string
  readonly createdAt: string
  readonly updatedAt: string
}

interface ConversationSummary extends Conversation {
  readonly messageCount: number
  readonly lastMessage: string
}

export interface StoredMessage {
  readonly sender: 'user' | 'ai'
  readonly content: string
  readonly createdAt: string
  /** A destroying call that this message asked the person about. */
  readonly pending?: PendingCall
  /** Where the answer goes on once the person has replied. */
  readonly waiting?: Waiting
  /** What takes back the changes of this message, the last first; empty where nothing can. */
  readonly undo?: readonly PendingCall[]
}

/** What the chat needs from storage. */
export interface ConversationStore {
  create(conversation: Conversation): Promise<void>
  find(id: string): Promise<Conversation | undefined>
  list(
    user: string,
    page: { limit: number; offset: number },
  ): Promise<{ conversations: ConversationSummary[]; total: number }>
  /** False where its title is no longer the one before. */
  rename(id: string, title: string, before?: string): Promise<boolean>
  remove(id: string): Promise<void>
  add(conversationId: string, message: StoredMessage): Promise<void>
  /** The newest messages, oldest of them first. */
  latest(conversationId: string, limit: number): Promise<StoredMessage[]>
  /** Forgets conversations that nobody touched since then. */
  forgetBefore(time: string): Promise<void>
}

const MAX_MESSAGES = 20
const MAX_TOKENS = 8_000

const KEPT_DAYS = 90
const DAY_MS = 86_400_000
const TIDY_EVERY_MS = 3_600_000
const MAX_TITLE = 60
const UNDO =
  /^(?:please )?(?:undo|take (?:it|that) back|revert)(?: (?:it|that|this|the last (?:change|one)))?(?: please)?[.!]*$|^(?:пожалуйста,? )?(?:отмени(?:ть)?|верни|откати)(?: (?:это|назад|обратно|вс[её] назад|как было|последнее(?: изменение)?|изменение))?(?:,? пожалуйста)?[.!]*$/i

export interface ChatRequest {
  readonly caller: Caller
  readonly message: string
  readonly conversationId?: string
  readonly signal: AbortSignal
  readonly onEvent?: (event: AgentEvent) => void
  /** Told as soon as the person's message is kept: a stopped answer has a conversation too. */
  readonly onKept?: (conversationId: string) => void
  readonly approve?: AgentRequest['approve']
}

export interface ChatReply {
  readonly conversationId: string
  readonly created: boolean
  readonly text: string
  readonly timestamp: string
  readonly uses: readonly ToolUse[]
  /** A destroying call that waits for the person's yes. */
  readonly pending?: PendingCall
}

interface Parts {
  readonly store: ConversationStore
  readonly agent: Agent
  /** Answers where the model cannot. */
  readonly fallback: Agent
  readonly now?: () => Date
}

/** Chats with our own agent: history is stored, and every request is rebuilt from it. */
export class Conversations {
  readonly #parts: Parts
  readonly #now: () => Date
  readonly #listeners = new Set<(user: string, origin: Origin) => void>()
  #tidiedAt = 0

  constructor(parts: Parts) {
    this.#parts = parts
    this.#now = parts.now ?? (() => new Date())
  }

  async chat(request: ChatRequest): Promise<ChatReply> {
    const { store } = this.#parts
    const created = request.conversationId === undefined
    const conversation = created
      ? await this.#begin(request)
      : await this.require(request.conversationId ?? '', request.caller.user)
    const past = created ? [] : await store.latest(conversation.id, MAX_MESSAGES)
    // The person's words are kept before anything can go wrong.
    await store.add(conversation.id, {
      sender: 'user',
      content: request.message,
      createdAt: this.#stamp(),
    })
    request.onKept?.(conversation.id)
    this.#tell(conversation.user)
    const reply = await this.#answerOrStop(request, past, conversation.id)
    const timestamp = this.#stamp()
    await store.add(conversation.id, {
      sender: 'ai',
      content: reply.text,
      createdAt: timestamp,
      pending: reply.pending,
      waiting: reply.waiting,
      undo: undoOf(reply),
    })
    this.#tell(conversation.user)
    return {
      conversationId: conversation.id,
      created,
      timestamp,
      text: reply.text,
      uses: reply.uses,
      ...(reply.pending ? { pending: reply.pending } : {}),
    }
  }

  async list(user: string, page: { limit: number; offset: number }) {
    return this.#parts.store.list(user, page)
  }

  async messages(
    id: string,
    user: string,
  ): Promise<{ conversation: Conversation; messages: StoredMessage[] }> {
    const conversation = await this.require(id, user)
    return { conversation, messages: await this.#parts.store.latest(id, 1000) }
  }

  async rename(id: string, user: string, title: string, before?: string): Promise<void> {
    await this.require(id, user)
    if (!(await this.#parts.store.rename(id, title, before))) {
      const { title: theirs } = await this.require(id, user)
      throw new Failure('changed_meanwhile', `It is now named “${theirs}”`, {
        data: { name: theirs },
      })
    }
    this.#tell(user)
  }

  async remove(id: string, user: string): Promise<void> {
    await this.require(id, user)
    await this.#parts.store.remove(id)
    this.#tell(user)
  }

  /** Says whose conversations have changed. Returns the function that ends it. */
  onChange(listener: (user: string, origin: Origin) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async require(id: string, user: string): Promise<Conversation> {
    const conversation = await this.#parts.store.find(id)
    if (!conversation) throw new Failure('not_found', 'There is no such conversation')
    if (conversation.user !== user)
      throw new Failure('forbidden', 'This conversation belongs to someone else')
    return conversation
  }

  async #begin({ caller, message }: ChatRequest): Promise<Conversation> {
    const now = this.#now()
    if (now.getTime() - this.#tidiedAt > TIDY_EVERY_MS) {
      this.#tidiedAt = now.getTime()
      await this.#parts.store.forgetBefore(
        new Date(now.getTime() - KEPT_DAYS * DAY_MS).toISOString(),
      )
    }
    const line = message.trim().split('\n')[0] ?? ''
    const title = line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE - 1)}…` : line
    const conversation = {
      id: randomUUID(),
      user: caller.user,
      title,
      createdAt: now.toISOString(),
      updatedAt: now.toISOString(),
    }
    await this.#parts.store.create(conversation)
    return conversation
  }

  /** What was said of an answer before it was stopped is kept: the person has read it. */
  async #answerOrStop(
    request: ChatRequest,
    past: readonly StoredMessage[],
    id: string,
  ): Promise<Reply> {
    let said = ''
    const onEvent = (event: AgentEvent) => {
      if (event.type === 'text') said += event.delta
      request.onEvent?.(event)
    }
    try {
      return await this.#answer({ ...request, onEvent }, past)
    } catch (error) {
      if (request.signal.aborted && said !== '') {
        await this.#parts.store.add(id, {
          sender: 'ai',
          content: `${said} …`,
          createdAt: this.#stamp(),
        })
        this.#tell(request.caller.user)
      }
      throw error
    }
  }

  async #answer(request: ChatRequest, past: readonly StoredMessage[]): Promise<Reply> {
    const onEvent = request.onEvent ?? (() => {})
    const asked: AgentRequest = {
      message: request.message,
      history: withinBudget(past),
      caller: request.caller,
      signal: request.signal,
      onEvent,
      approve: request.approve,
      lastTask: lastTaskOf(past),
    }
    const last = past.at(-1)
    if (last?.waiting) return this.#goOn({ ...asked, ...asks(last) }, last.waiting)
    const undo = UNDO.test(request.message.trim()) && past.findLast((one) => one.undo)?.undo
    if (undo) return this.#parts.fallback.answer({ ...asked, undo })
    return this.#ask(asked)
  }

  /** The reply to a question goes to the agent that asked it. */
  async #goOn(asked: AgentRequest, { by, wants }: Waiting & { wants?: string }): Promise<Reply> {
    const { agent, fallback } = this.#parts
    const isForRules = by === 'rules' && (wants === 'yes' || agent.name === fallback.name)
    return isForRules ? withOverwritten(await fallback.answer(asked), asked) : this.#ask(asked)
  }

  async #ask(asked: AgentRequest): Promise<Reply> {
    try {
      return withOverwritten(await this.#parts.agent.answer(asked), asked)
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      return this.#withoutModel(error, asked)
    }
  }

  /** An honest answer, and help as far as rules can help. */
  async #withoutModel({ message }: ModelError, asked: AgentRequest): Promise<Reply> {
    const opening = `${message}. I am answering by simple rules this time.`
    asked.onEvent({ type: 'text', delta: `${opening}\n\n` })
    const reply = withOverwritten(await this.#parts.fallback.answer(asked), asked)
    return { ...reply, text: `${opening}\n\n${reply.text}` }
  }

  announce(user: string, origin: Origin): void {
    for (const listener of this.#listeners) listener(user, origin)
  }

  #tell(user: string): void {
    this.announce(user, 'here')
  }

  #stamp(): string {
    return this.#now().toISOString()
  }
}

/** What “it” means: the task of the latest change that can be undone. */
function lastTaskOf(past: readonly StoredMessage[]): number | undefined {
  const calls = past.findLast(({ undo = [] }) => undo.length > 0)?.undo ?? []
  const ids = calls.map(({ args }) => (args as { task_id?: unknown }).task_id)
  return ids.find((id): id is number => typeof id === 'number')
}

function asks({ pending, waiting }: StoredMessage): Pick<AgentRequest, 'pending' | 'waiting'> {
  return { pending, waiting }
}

/** Whatever the agent says of it, the person is told what was overwritten. */
function withOverwritten(reply: Reply, request: AgentRequest): Reply {
  const before = reply.uses.flatMap(({ change }) => change?.before ?? [])
  if (before.length === 0) return reply
  const note = `\n\n${overwrittenText(before, languageOf(request))}`
  request.onEvent({ type: 'text', delta: note })
  return { ...reply, text: `${reply.text}${note}` }
}

/** The last change is taken back first; a reply that changed nothing leaves the earlier ones to be undone. */
function undoOf({ uses }: Reply): readonly PendingCall[] | undefined {
  const changes = uses.flatMap(({ change }) => change ?? [])
  if (changes.length === 0) return undefined
  return changes.flatMap(({ undo }) => undo ?? []).reverse()
}

/** The newest messages that fit the budget, oldest of them first. */
function withinBudget<M extends PastMessage>(messages: readonly M[]): M[] {
  let left = MAX_TOKENS
  const kept: M[] = []
  for (const message of messages.slice(-MAX_MESSAGES).reverse()) {
    left -= estimateTokens(message.content)
    if (left < 0) break
    kept.unshift(message)
  }
  return kept
}
