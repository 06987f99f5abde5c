import type { PendingCall, Waiting } from './agent.ts'

export interface Conversation {
  readonly id: string
  readonly user: string
  readonly title: string
  readonly createdAt: string
  readonly updatedAt: string
}

export interface ConversationSummary extends Conversation {
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
