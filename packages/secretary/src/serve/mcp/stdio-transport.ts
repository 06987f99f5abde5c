import type { Readable, Writable } from 'node:stream'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import { type Line, LineReader } from './line-reader.ts'
import { type ErrorMessage, errorMessage, notJson, shapeProblem } from './message-problem.ts'

const LONGEST_LINE = 10 * 1024 * 1024
/** A client that asks more at once waits its turn. */
const MOST_AT_ONCE = 128
/** What was asked before the end of input is answered; what hangs does not keep an orphan alive. */
const DRAIN_MS = 15_000
/** It is answered only when it ends, which may be never. */
const ENDLESS = 'subscriptions/listen'

const REFUSED = {
  too_long: 'The message is larger than 10 MB',
  too_much: 'The message has too many elements or is nested too deeply',
} as const

type Sent = JSONRPCMessage | ErrorMessage

/**
 * Messages as lines on a pair of streams. It reads no faster than the client does: while answers wait to be taken,
 * or too many calls are under way, nothing more is read.
 */
export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: Transport['onmessage']
  /** Settled when nothing more is read or written. */
  readonly closed: Promise<void>
  readonly #input: Readable
  readonly #output: Writable
  readonly #lines = new LineReader(LONGEST_LINE)
  /** How many are under way for each id: nothing keeps a client from giving one twice. */
  readonly #pending = new Map<string, number>()
  #pendingCount = 0
  #isEnded = false
  #isClosed = false

  #settle = () => {}

  constructor(input: Readable, output: Writable) {
    this.closed = new Promise((resolve) => {
      this.#settle = resolve
    })
    this.#input = input
    this.#output = output
  }

  async start(): Promise<void> {
    this.#input.on('data', (chunk: Buffer) => {
      this.#lines.push(chunk)
      this.#goOn()
    })
    this.#input.once('end', () => this.#end()).once('close', () => this.#end())
    this.#input.on('error', (error) => this.onerror?.(error))
    this.#output.on('drain', () => this.#goOn())
    this.#output.on('error', () => void this.close())
  }

  send(message: Sent): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error('The client is gone'))
    if ('id' in message && !('method' in message)) this.#settled(message.id)
    // A client that does not read will look at the lists itself when it comes back.
    if ('method' in message && !('id' in message) && this.#output.writableNeedDrain)
      return Promise.resolve()
    const written = new Promise<void>((resolve) =>
      this.#output.write(`${JSON.stringify(message)}\n`, () => resolve()),
    )
    // What waits for the client to read must not be counted as done before it was written.
    queueMicrotask(() => this.#goOn())
    return written
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#input.pause()
    this.onclose?.()
    this.#settle()
  }

  #end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    setTimeout(() => void this.close(), DRAIN_MS).unref()
    this.#goOn()
  }

  #goOn(): void {
    while (!this.#isClosed && this.#hasRoom()) {
      const line = this.#lines.next(this.#isEnded)
      if (line === undefined) break
      this.#take(line)
    }
    if (this.#isClosed) return
    if (!this.#isEnded) {
      if (this.#hasRoom()) this.#input.resume()
      else this.#input.pause()
    } else if (this.#pendingCount === 0 && !this.#output.writableNeedDrain && this.#hasRoom())
      void this.#flushed().then(() => this.close())
  }

  #hasRoom(): boolean {
    return !this.#output.writableNeedDrain && this.#pendingCount < MOST_AT_ONCE
  }

  #flushed(): Promise<void> {
    return new Promise((resolve) => this.#output.write('', () => resolve()))
  }

  #take(line: Line): void {
    if (line.kind === 'text' && line.text === '') return
    const read = line.kind === 'text' ? parsed(line.text) : undefined
    const problem =
      line.kind === 'text'
        ? read === undefined
          ? notJson
          : shapeProblem(read)
        : errorMessage(line.id, REFUSED[line.kind])
    if (problem) this.#refuse(problem)
    else this.#pass(read as JSONRPCMessage)
  }

  #pass(message: JSONRPCMessage): void {
    this.#follow(message)
    this.onmessage?.(message)
  }

  #refuse(problem: ErrorMessage): void {
    this.onerror?.(new Error(problem.error.message))
    void this.send(problem).catch(() => {})
  }

  /** A request is under way until it is answered, or cancelled, which is not answered. */
  #follow(message: JSONRPCMessage): void {
    if (!('method' in message)) return
    if ('id' in message && message.method !== ENDLESS) {
      const key = keyOf(message.id)
      this.#pending.set(key, (this.#pending.get(key) ?? 0) + 1)
      this.#pendingCount++
    }
    if (message.method === 'notifications/cancelled') this.#settled(message.params?.requestId)
  }

  #settled(id: unknown): void {
    const key = keyOf(id)
    const count = this.#pending.get(key)
    if (count === undefined) return
    this.#pendingCount--
    if (count === 1) this.#pending.delete(key)
    else this.#pending.set(key, count - 1)
  }
}

function keyOf(id: unknown): string {
  return JSON.stringify(id) ?? ''
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
