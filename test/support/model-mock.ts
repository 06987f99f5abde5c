import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface AskedModel {
  readonly messages: readonly {
    role: string
    content?: string | null
    tool_calls?: { id: string; function: { name: string; arguments: string } }[]
    tool_call_id?: string
  }[]
  readonly tools?: readonly { function: { name: string; parameters: { properties?: object } } }[]
}

/** One answer of the mock: what a model would say, or how it would misbehave. */
export type Script =
  | { readonly say: string }
  /** Says the beginning, and the rest once it is known. */
  | { readonly begins: string; readonly rest: Promise<string> }
  | { readonly calls: readonly { readonly name: string; readonly args: unknown }[] }
  | { readonly brokenCall: { readonly name: string; readonly text: string } }
  | { readonly status: number }
  | { readonly hangUp: true }
  | { readonly garbage: true }
  | { readonly never: true }
  /** Sends these lines as they are, then nothing more. */
  | { readonly lines: readonly string[] }
  /** Asks to be left alone for this long. */
  | { readonly retryAfterSeconds: number }

export interface ModelMock {
  readonly url: string
  /** Everything it was asked, in order. */
  readonly asked: AskedModel[]
  /** What it answers next; the last one is repeated. */
  script(...answers: (Script | ((asked: AskedModel) => Script))[]): void
  close(): Promise<void>
}

/** Speaks OpenAI's chat completions with streaming, because no real model can be had in a test. */
export async function startModelMock(): Promise<ModelMock> {
  const asked: AskedModel[] = []
  let queue: (Script | ((asked: AskedModel) => Script))[] = [{ say: 'Hello.' }]
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await bodyOf(request)) as AskedModel
    asked.push(body)
    const next = (queue.length > 1 ? queue.shift() : queue[0]) ?? { say: '' }
    await answer(typeof next === 'function' ? next(body) : next, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    script(...answers) {
      queue = answers
      asked.length = 0
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

async function answer(script: Script, response: ServerResponse): Promise<void> {
  if ('never' in script) return
  if ('hangUp' in script) return void response.destroy()
  if ('status' in script)
    return void response
      .writeHead(script.status, { 'content-type': 'application/json' })
      .end('{"error":{"message":"secret upstream detail"}}')
  if ('retryAfterSeconds' in script)
    return void response
      .writeHead(429, { 'retry-after': String(script.retryAfterSeconds) })
      .end('{"error":{"message":"secret upstream detail"}}')
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if ('lines' in script)
    return void response.end(script.lines.map((line) => `data: ${line}\n\n`).join(''))
  if ('garbage' in script) return void response.end('data: {"choices": [oops\n\n')
  const write = (delta: object) =>
    response.write(
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta }] })}\n\n`,
    )
  if ('begins' in script) {
    write({ content: script.begins })
    write({ content: await script.rest })
  } else for (const delta of deltasOf(script)) write(delta)
  response.end('data: [DONE]\n\n')
}

function deltasOf(
  script: Exclude<
    Script,
    | { status: number }
    | { never: true }
    | { hangUp: true }
    | { garbage: true }
    | { begins: string }
    | { lines: readonly string[] }
    | { retryAfterSeconds: number }
  >,
): object[] {
  if ('say' in script)
    return script.say.match(/.{1,7}/gsu)?.map((content) => ({ content })) ?? [{ content: '' }]
  const calls =
    'calls' in script
      ? script.calls.map(({ name, args }) => ({ name, text: JSON.stringify(args) }))
      : [script.brokenCall]
  return calls.flatMap(({ name, text }, index) => {
    const half = Math.ceil(text.length / 2)
    return [
      {
        tool_calls: [
          {
            index,
            id: `call_${index}`,
            type: 'function',
            function: { name, arguments: text.slice(0, half) },
          },
        ],
      },
      { tool_calls: [{ index, function: { arguments: text.slice(half) } }] },
    ]
  })
}
