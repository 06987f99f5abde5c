import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type {
  JSONRPCMessage,
  Tool as McpTool,
  Server,
  Transport,
} from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Changes } from '@secretary-mcp/core/changes.ts'
import type { Config } from '@secretary-mcp/core/config/config.ts'
import { noProjectReason } from '@secretary-mcp/core/config/no-project.ts'
import { JsonScan } from '@secretary-mcp/core/json-scan.ts'
import { withoutLimits } from '@secretary-mcp/core/json-schema.ts'
import { packageRoot } from '@secretary-mcp/core/package-root.ts'
import { prefixedName } from '@secretary-mcp/core/tool.ts'
import type { App } from '../../app/app.ts'
import { ownDialog } from '../../dialogs/own-dialog.ts'
import { offers, prefixesOf } from '../../toolsets.ts'
import { version } from '../../version.ts'
import {
  type Backing,
  backingOf,
  createMcpServer,
  type McpListing,
  mcpToolOf,
} from './create-server.ts'

const SNAPSHOT_FILE = join('dist', 'catalogue.json')

const NEWLINE = 0x0a
const PARSE_ERROR = -32700
const INVALID_REQUEST = -32600
const MAX_LINE = 10 * 1024 * 1024
/** A client that asks more at once waits its turn. */
const MAX_AT_ONCE = 128
/** What was asked before the end of input is answered; what hangs does not keep an orphan alive. */
const DRAIN_MS = 15_000
/** It is answered only when it ends, which may be never. */
const ENDLESS = 'subscriptions/listen'
const REFUSED = {
  too_long: 'The message is larger than 10 MB',
  too_much: 'The message has too many elements or is nested too deeply',
} as const

const WARM_UP_AFTER_MS = 250

/** Serves until the client closes standard input and has its answers. A timer of ours must not keep an orphan alive. */
export async function runStdio(
  config: Config,
  open: (config: Config) => Promise<App>,
): Promise<void> {
  const transport = new StdioTransport(process.stdin, process.stdout)
  const ended = new Promise<void>((resolve) => {
    void transport.closed.then(resolve)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => resolve())
  })
  // The pipe is the session: it has no id of its own.
  const connection = randomUUID()
  const own = ownDialog(config)
  const servers: Server[] = []
  let opening: Promise<App> | undefined
  const app = () => {
    opening ??= open(config).then((opened) => {
      for (const server of servers) announceTo(server, opened.changes)
      opened.watch()
      return opened
    })
    return opening
  }
  const backing: Backing = {
    config,
    app,
    async tools() {
      // The first call should not wait for what is still asleep.
      setTimeout(() => void app().catch(() => {}), WARM_UP_AFTER_MS).unref()
      return snapshotTools(config) ?? backingOf(await app()).tools()
    },
  }
  const handle = serveStdio(
    () => {
      const server = createMcpServer(backing, (ctx, self) => {
        const client = self.getClientVersion()?.name
        const session = ctx.sessionId ?? connection
        const { user, project } = config
        return {
          user,
          role: 'operator',
          project,
          client,
          session,
          // Looked up on disk, which most tools have no need of.
          get dialog() {
            return own(client)
          },
        }
      })
      servers.push(server)
      void opening?.then(({ changes }) => announceTo(server, changes))
      return server
    },
    {
      transport,
      onerror: (error) => void app().then(({ log }) => log.warn({ err: error }, 'protocol error')),
    },
  )
  await ended
  await handle.close()
  await (await opening?.catch(() => undefined))?.close()
}

/** Passes changes on to a connected client for as long as the connection lives. */
export function announceTo(server: Server, changes: Changes): void {
  const stop = changes.listen((change) => {
    const sent = {
      tools: () => server.sendToolListChanged(),
      prompts: () => server.sendPromptListChanged(),
      resources: () => server.sendResourceListChanged(),
      resource: () =>
        change.kind === 'resource'
          ? server.sendResourceUpdated({ uri: change.uri })
          : Promise.resolve(),
    }[change.kind]()
    // A client that is gone, or never asked for announcements, is no fault of ours.
    sent.catch(() => {})
  })
  server.onclose = stop
}

type Line =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'too_long' | 'too_much'; readonly id: string | number | null }

/** Cuts a stream of bytes into lines. Of a line that is too long nothing is kept but what its answer needs. */
class LineReader {
  readonly #longest: number
  readonly #waiting: Buffer[] = []
  #parts: Buffer[] = []
  #size = 0
  #scan = new JsonScan()

  constructor(longest: number) {
    this.#longest = longest
  }

  push(chunk: Buffer): void {
    this.#waiting.push(chunk)
  }

  /** The next whole line; at the end of input also one that nothing follows. */
  next(isEnd: boolean): Line | undefined {
    for (let chunk = this.#waiting.shift(); chunk; chunk = this.#waiting.shift()) {
      const end = chunk.indexOf(NEWLINE)
      this.#take(end === -1 ? chunk : chunk.subarray(0, end))
      if (end === -1) continue
      if (end + 1 < chunk.length) this.#waiting.unshift(chunk.subarray(end + 1))
      return this.#line()
    }
    return isEnd && this.#size > 0 ? this.#line() : undefined
  }

  #take(bytes: Buffer): void {
    this.#scan.feed(bytes)
    this.#size += bytes.length
    if (this.#size > this.#longest) this.#parts = []
    else this.#parts.push(bytes)
  }

  #line(): Line {
    const { id, isTooMuch } = this.#scan
    const line: Line =
      this.#size > this.#longest
        ? { kind: 'too_long', id }
        : isTooMuch
          ? { kind: 'too_much', id }
          : { kind: 'text', text: Buffer.concat(this.#parts).toString('utf8').trim() }
    this.#parts = []
    this.#size = 0
    this.#scan = new JsonScan()
    return line
  }
}

interface ErrorMessage {
  readonly jsonrpc: '2.0'
  readonly id: string | number | null
  readonly error: { readonly code: number; readonly message: string }
}

function errorMessage(
  id: string | number | null,
  message: string,
  code = INVALID_REQUEST,
): ErrorMessage {
  return { jsonrpc: '2.0', id, error: { code, message } }
}

const notJson = errorMessage(null, 'Parse error: the line is not JSON', PARSE_ERROR)

/** What is wrong with the shape of a message; undefined where the protocol can go on with it. */
function shapeProblem(message: unknown): ErrorMessage | undefined {
  if (!isRecord(message))
    return errorMessage(null, 'Invalid request: each line must be one JSON object')
  const id = isId(message.id) ? message.id : null
  const invalid = (why: string) => errorMessage(id, `Invalid request: ${why}`)
  if (message.jsonrpc !== '2.0') return invalid('jsonrpc must be "2.0"')
  if ('id' in message && id === null) return invalid('id must be a string or a whole number')
  if (message.params !== undefined && !isRecord(message.params))
    return invalid('params must be an object')
  if (typeof message.method === 'string') return undefined
  if ('method' in message) return invalid('method must be a string')
  if ('id' in message && (isRecord(message.result) || isRecord(message.error))) return undefined
  return invalid('it has no method')
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || Number.isSafeInteger(id)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

type Sent = JSONRPCMessage | ErrorMessage

/**
 * Messages as lines on a pair of streams. It reads no faster than the client does: while answers wait to be taken,
 * or too many calls are under way, nothing more is read.
 */
class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: Transport['onmessage']
  /** Settled when nothing more is read or written. */
  readonly closed: Promise<void>
  readonly #input: Readable
  readonly #output: Writable
  readonly #lines = new LineReader(MAX_LINE)
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
    return !this.#output.writableNeedDrain && this.#pendingCount < MAX_AT_ONCE
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

/** A tool in the file that the build makes from the definitions: both descriptions, and its name before the prefix. */
interface SnapshotTool extends Omit<McpListing, 'description'> {
  readonly family: string
  readonly prefix?: string
  readonly full: string
  readonly compact: string
}

export interface Snapshot {
  readonly version: string
  readonly tools: readonly SnapshotTool[]
}

/**
 * The list of tools without loading a single one: a client waits for it at every start.
 * Undefined where there is no fitting file, as when the sources run unbuilt; the definitions answer then.
 */
function snapshotTools(config: Config): McpTool[] | undefined {
  const { families, tools: chosen, descriptions, exampleTools } = config
  const snapshot = exampleTools === 'true' ? undefined : readSnapshot()
  if (snapshot?.version !== version) return undefined
  const noContext = noProjectReason(config) !== undefined
  const prefixes = prefixesOf(config)
  return snapshot.tools
    .filter(({ family }) => families.includes('all') || families.includes(family))
    .filter(({ family }) => !(noContext && family === 'context'))
    .filter(offers(chosen))
    .map((tool) =>
      mcpToolOf({
        ...tool,
        name: prefixedName(tool, prefixes),
        description: tool[descriptions],
        inputSchema:
          descriptions === 'compact' ? withoutLimits(tool.inputSchema) : tool.inputSchema,
      }),
    )
}

function readSnapshot(): Snapshot | undefined {
  try {
    return JSON.parse(readFileSync(join(packageRoot(), SNAPSHOT_FILE), 'utf8')) as Snapshot
  } catch {
    return undefined
  }
}
