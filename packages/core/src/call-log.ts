import * as z from 'zod'

import { redactBeginning } from './redact.ts'
import { estimateTokens } from './token-estimate.ts'
import { type Caller, PAGE_CLIENT } from './tool.ts'

const LONGEST_ANSWER = 600
/** Enough to estimate by: the rest of a long answer counts at the same rate. */
const SAMPLED = 20_000
const MAX_ARGUMENT_LENGTH = 200
const SECRET = /key|token|secret|password|credential|auth/i

export const GROUPINGS = ['day', 'agent', 'tool', 'project'] as const
export type Grouping = (typeof GROUPINGS)[number]

/** One call as a person may look at it later: without secrets, and without the contents of files. */
export interface LoggedCall {
  /** ISO 8601. */
  readonly at: string
  readonly user: string
  readonly agent?: string
  readonly project: string
  readonly session?: string
  readonly tool: string
  readonly ms: number
  /** Of the answer, estimated. */
  readonly tokens: number
  readonly error?: string
  /** JSON. */
  readonly arguments: string
  /** Its beginning; absent where it could hold the contents of files. */
  readonly answer?: string
  readonly byPage: boolean
}

/** Somebody else's, as an operator may look at it: that it was made, not what was asked and answered. */
export type SeenCall = Omit<LoggedCall, 'arguments'> & Partial<Pick<LoggedCall, 'arguments'>>

export const figure = z.object({
  name: z.string(),
  calls: z.int(),
  failed: z.int(),
  tokens: z.int().describe('Of the answers, estimated'),
  ms: z.number().describe('Mean time of a call'),
})
export type Figure = z.output<typeof figure>

export interface CallFilter {
  readonly user?: string
  readonly session?: string
  readonly tool?: string
  readonly byPage?: boolean
  readonly failed?: boolean
  readonly limit: number
}

export interface CallLogStore {
  add(calls: readonly LoggedCall[]): Promise<void>
  /** The latest first. */
  latest(filter: CallFilter): Promise<LoggedCall[]>
  /** What a user's calls asked and answered; that they were made is still told. */
  forgetWords(user: string): Promise<void>
  /** Of agents alone, since a day; of one user, or of all. */
  figures(by: Grouping, since: string, user?: string): Promise<Figure[]>
}

const FLUSH_AFTER_MS = 1_000
const MOST_PENDING = 500

/** Kept for a moment, so that a call never waits for its own record. */
export class CallLog {
  readonly #store: CallLogStore
  #ended: EndedCall[] = []
  /** What the store did not take. */
  #unsaved: LoggedCall[] = []
  #timer?: NodeJS.Timeout
  #flushing: Promise<void> = Promise.resolve()

  constructor(store: CallLogStore) {
    this.#store = store
  }

  record(call: EndedCall): void {
    // Where the store is away, the oldest are lost, never the calls.
    if (this.#ended.length >= MOST_PENDING) this.#ended.shift()
    this.#ended.push(call)
    this.#timer ??= setTimeout(() => this.flush().catch(() => {}), FLUSH_AFTER_MS).unref()
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#flushing = this.#flushing.catch(() => {}).then(() => this.#write())
    return this.#flushing
  }

  async forgetWords(user: string): Promise<void> {
    await this.flush()
    await this.#store.forgetWords(user)
  }

  /** The latest first. What people asked and were told is shown to themselves alone. */
  async latest(filter: CallFilter, reader: string): Promise<SeenCall[]> {
    await this.flush()
    const calls = await this.#store.latest(filter)
    return calls.map((call) => (call.user === reader ? call : withoutWords(call)))
  }

  async figures(by: Grouping, since: string, user?: string): Promise<Figure[]> {
    await this.flush()
    return this.#store.figures(by, since, user)
  }

  async #write(): Promise<void> {
    const calls = [...this.#unsaved, ...this.#ended.map(loggedCall)].slice(-MOST_PENDING)
    if (calls.length === 0) return
    this.#ended = []
    this.#unsaved = []
    try {
      await this.#store.add(calls)
    } catch (error) {
      this.#unsaved = calls
      throw error
    }
  }
}

function withoutWords({ arguments: _asked, answer: _answered, ...call }: LoggedCall): SeenCall {
  return call
}

/** A call that was answered, with all that its record is made of. */
interface EndedCall {
  readonly at: Date
  readonly tool: string
  readonly args: unknown
  readonly caller: Caller
  readonly ms: number
  readonly text: string
  readonly error?: string
  /** Its answers can hold the contents of files, which no record keeps. */
  readonly holdsFiles: boolean
}

/** What is kept of a call. */
function loggedCall(call: EndedCall): LoggedCall {
  const { at, tool, args, caller, ms, text, error, holdsFiles } = call
  const { user, client, project, session, dialog } = caller
  return {
    at: at.toISOString(),
    user,
    agent: client,
    project,
    session: dialog ?? session,
    tool,
    ms: Math.round(ms * 100) / 100,
    tokens: tokensOf(text),
    error,
    arguments: JSON.stringify(loggable(args) ?? {}),
    answer: holdsFiles && error === undefined ? undefined : redactBeginning(text, LONGEST_ANSWER),
    byPage: client === PAGE_CLIENT,
  }
}

function tokensOf(text: string): number {
  if (text.length <= SAMPLED) return estimateTokens(text)
  return Math.ceil((estimateTokens(text.slice(0, SAMPLED)) * text.length) / SAMPLED)
}

/** Arguments as the log may have them: short, and without anything that is named like a secret or like contents. */
export function loggable(args: unknown): unknown {
  if (args === null || typeof args !== 'object') return shortened(args)
  return Object.fromEntries(
    Object.entries(args)
      .slice(0, 20)
      .map(([name, value]) => [
        name.slice(0, 50),
        SECRET.test(name) || name === 'content' ? '[left out]' : shortened(value),
      ]),
  )
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > MAX_ARGUMENT_LENGTH
      ? `${redactBeginning(value, MAX_ARGUMENT_LENGTH)}… (${value.length} characters)`
      : redactBeginning(value, MAX_ARGUMENT_LENGTH)
  if (value === null || typeof value !== 'object') return value
  return Array.isArray(value) ? `[${value.length} items]` : '{…}'
}
