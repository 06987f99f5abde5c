import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Answer, Body, Dialect, OfferedTool, Reply } from './answer.ts'
import { anthropicMessages } from './anthropic-messages.ts'
import { geminiContent } from './gemini-content.ts'
import { openAiChat } from './openai-chat.ts'
import { openAiResponses } from './openai-responses.ts'

const dialects = [anthropicMessages, openAiResponses, openAiChat, geminiContent]

/** A request that an agent sent to its model. */
export interface Heard {
  readonly path: string
  readonly body: Body
  readonly tools: readonly OfferedTool[]
  /** Every word of it, as the model would read it. */
  readonly words: string
}

/** A model that answers what the test tells it to, in the wire formats of four vendors. It listens on this machine only. */
export class ScriptedModel {
  readonly heard: Heard[] = []
  readonly #script: Answer[] = []
  readonly #server = createServer((request, response) => void this.#serve(request, response))

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** What it answers next, in order. When nothing is left it says so and calls nothing. */
  script(...answers: Answer[]): void {
    this.#script.splice(0, this.#script.length, ...answers)
  }

  /** For a second dialog beside the first. */
  alsoScript(...answers: Answer[]): void {
    this.#script.push(...answers)
  }

  get unsaid(): number {
    return this.#script.length
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', this.url).pathname
    const body = await bodyOf(request)
    const dialect = dialects.find((one) => one.fits(path))
    if (request.method !== 'POST' || !dialect) return answerOther(path, response)
    const aside = dialect.aside?.(path, body)
    if (aside) return sendAside(aside, dialect.isStreamed(path, body), response)
    const tools = dialect.offered(body)
    const words = wordsIn(body)
    this.heard.push({ path, body, tools, words })
    const reply = await this.#reply(tools, words)
    if (response.destroyed) return
    if (dialect.isStreamed(path, body)) return stream(dialect, reply, body, response)
    sendJson(dialect.whole(reply, body), response)
  }

  /** Titles and summaries are asked for without tools: they take no turn of the script unless it is their turn. */
  async #reply(tools: readonly OfferedTool[], words: string): Promise<Reply> {
    const place = this.#script.findIndex(({ fits }) => fits?.(words) ?? true)
    const next = this.#script[place]
    if (!next || (tools.length === 0 && next.call !== undefined)) return bare('Nothing to add.')
    this.#script.splice(place, 1)
    await next.after
    next.given?.()
    const { call, input = {}, say = '', inputTokens = 1200 } = next
    if (call === undefined) return { text: say, inputTokens }
    const tool =
      tools.find(({ name }) => name === call) ?? tools.find(({ name }) => name.endsWith(call))
    if (!tool) return bare(`There is no tool ${call} here.`)
    return {
      text: say,
      inputTokens,
      call: { id: `call_${randomBytes(8).toString('hex')}`, tool, input },
    }
  }
}

const bare = (text: string): Reply => ({ text, inputTokens: 1200 })

function stream(dialect: Dialect, reply: Reply, body: Body, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const { name, data } of dialect.events(reply, body))
    response.write(
      `${name ? `event: ${name}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
    )
  response.end()
}

function sendAside(value: object, isStreamed: boolean, response: ServerResponse): void {
  response.writeHead(200, {
    'content-type': isStreamed ? 'text/event-stream' : 'application/json',
  })
  const json = JSON.stringify(value)
  response.end(isStreamed ? `data: ${json}\n\n` : json)
}

/** Agents ask which models there are, and much else that no model answers. */
function answerOther(path: string, response: ServerResponse): void {
  if (!path.endsWith('/models')) {
    response.writeHead(404, { 'content-type': 'application/json' })
    response.end('{"error":{"type":"not_found_error","message":"not here"}}')
    return
  }
  sendJson(
    { object: 'list', data: [{ id: 'scripted', object: 'model', owned_by: 'test' }] },
    response,
  )
}

function sendJson(value: object, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Body
  } catch {
    return {}
  }
}

/** Texts inside JSON inside JSON are found as they were written. */
function wordsIn(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || typeof value !== 'object') return ''
  return Object.values(value).map(wordsIn).join('\n')
}
