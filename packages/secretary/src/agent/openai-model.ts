import type { FunctionDefinition } from '@secretary-mcp/core/catalogue.ts'
import OpenAI from 'openai'
import * as z from 'zod'
import {
  type ChatModel,
  type ModelAnswer,
  ModelError,
  type ModelMessage,
  type ModelQuestion,
  type RequestedCall,
} from './chat-model.ts'
import { strictSchemaOf } from './strict-schema.ts'

const MAX_CALLS = 64
/** Of everything that one answer says, arguments included. */
const MAX_ANSWER = 1_000_000

const SENT_HEADERS = ['authorization', 'content-type', 'accept', 'user-agent']

export interface OpenAiConfig {
  readonly model: string
  readonly url?: string
  readonly key?: string
  readonly strict: 'auto' | 'on' | 'off'
}

const OPENAI = 'api.openai.com'
const RETRIES = 2

/** Any endpoint that speaks OpenAI's chat completions. The one file that knows that wire format. */
export function createOpenAiModel({ model, url, key, strict }: OpenAiConfig): ChatModel {
  const baseURL = url ?? `https://${OPENAI}/v1`
  const client = new OpenAI({
    baseURL,
    // Local servers want no key, but the client refuses to start without one.
    apiKey: key ?? 'none',
    // Otherwise the client would take them from variables that are meant for other programs.
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    fetch: fetchOnlyFrom(new URL(baseURL).origin),
    // Whoever asks sets the time limit.
    maxRetries: RETRIES,
  })
  let isStrict = strict === 'auto' ? new URL(client.baseURL).hostname === OPENAI : strict === 'on'

  const ask = async (question: ModelQuestion): Promise<ModelAnswer> => {
    const tools = question.tools.map((tool) => wireTool(tool, isStrict))
    const stream = await client.chat.completions.create(
      {
        model,
        messages: question.messages.map(wireMessage),
        ...(tools.length > 0 ? { tools: tools.map(({ wire }) => wire) } : {}),
        stream: true,
      },
      { signal: question.signal },
    )
    const { text, calls } = await collectAnswer(stream, question)
    return {
      text,
      calls: calls.map(
        (call) => tools.find(({ wire }) => wire.function.name === call.name)?.restore(call) ?? call,
      ),
    }
  }
  return {
    name: model,
    async ask(question) {
      try {
        return await ask(question).catch((error: unknown) => {
          // A model that does not take strict schemas after all gets the plain ones from now on.
          if (!isStrict || !(error instanceof OpenAI.BadRequestError)) throw error
          isStrict = false
          return ask(question)
        })
      } catch (error) {
        throw translate(error, question.signal)
      }
    },
  }
}

interface WireTool {
  readonly wire: OpenAI.ChatCompletionFunctionTool
  /** A call as the tool itself would have been called. */
  restore(call: RequestedCall): RequestedCall
}

function wireTool(
  { type, function: { parameters, ...about } }: FunctionDefinition,
  isStrict: boolean,
): WireTool {
  const strict = isStrict ? strictSchemaOf(parameters) : undefined
  if (!strict)
    return {
      wire: { type, function: { ...about, parameters: { ...parameters } } },
      restore: (call) => call,
    }
  return {
    wire: { type, function: { ...about, parameters: { ...strict.schema }, strict: true } },
    restore: (call) => ({
      ...call,
      argumentsText: restoredText(call.argumentsText, strict.restore),
    }),
  }
}

/** Broken JSON stays what it is: whoever runs the call complains about it. */
function restoredText(text: string, restore: (args: unknown) => unknown): string {
  try {
    return JSON.stringify(restore(JSON.parse(text)))
  } catch {
    return text
  }
}

function wireMessage(message: ModelMessage): OpenAI.ChatCompletionMessageParam {
  if (message.role === 'tool')
    return { role: 'tool', tool_call_id: message.callId, content: message.content }
  if (message.role !== 'assistant' || !message.calls?.length)
    return { role: message.role, content: message.content }
  const tool_calls = message.calls.map(({ id, name, argumentsText }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: argumentsText },
  }))
  return { role: 'assistant', content: message.content || null, tool_calls }
}

function translate(error: unknown, signal: AbortSignal): Error {
  if (error instanceof ModelError) return error
  if (signal.aborted) return error instanceof Error ? error : new Error(String(error))
  if (error instanceof OpenAI.APIConnectionTimeoutError)
    return new ModelError('slow', 'The model took too long to answer', error)
  if (error instanceof OpenAI.APIConnectionError)
    return new ModelError('unreachable', 'The model cannot be reached', error)
  if (error instanceof OpenAI.RateLimitError)
    return new ModelError('rate_limited', 'The model is rate limited; try again later', error)
  if (
    error instanceof OpenAI.AuthenticationError ||
    error instanceof OpenAI.PermissionDeniedError ||
    error instanceof OpenAI.NotFoundError
  ) {
    return new ModelError(
      'refused',
      'The model rejected the request; check the model’s name, address and key in the configuration',
      error,
    )
  }
  if (error instanceof OpenAI.APIError)
    return new ModelError('unreachable', 'The model answered with an error', error)
  return new ModelError('nonsense', 'The model gave an answer that could not be understood', error)
}

/** The key goes to the host that it was given for: nowhere else, and not where that host sends us on to. */
function fetchOnlyFrom(origin: string): typeof fetch {
  return async (input, init) => {
    const { href, origin: target } = new URL(input instanceof Request ? input.url : input)
    if (target !== origin) throw new TypeError('The model may be called only at its own address')
    const all = new Headers(init?.headers)
    const headers = SENT_HEADERS.flatMap((name) => {
      const value = all.get(name)
      return value === null ? [] : [[name, value] as [string, string]]
    })
    return fetch(href, { ...init, headers, redirect: 'error' })
  }
}

const part = z.object({
  index: z
    .int()
    .min(0)
    .max(MAX_CALLS - 1)
    .nullish(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
})

const chunk = z.object({
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: z.string().nullish(),
            tool_calls: z.array(part).max(MAX_CALLS).nullish(),
          })
          .nullish(),
      }),
    )
    .nullish(),
})

interface GrowingCall {
  id: string
  name: string
  argumentsText: string
}

/** Puts a streamed answer together. Whatever serves the model may send anything: nothing is used before it is checked. */
async function collectAnswer(
  stream: AsyncIterable<unknown>,
  { onText, signal }: Pick<ModelQuestion, 'onText' | 'signal'>,
): Promise<ModelAnswer> {
  let text = ''
  let length = 0
  const calls = new Map<number, GrowingCall>()
  for await (const received of stream) {
    const { content, tool_calls } = deltaOf(received)
    if (content) {
      text += content
      onText(content)
    }
    for (const piece of tool_calls ?? []) grow(calls, piece)
    length += lengthOf(content, tool_calls)
    if (length > MAX_ANSWER) throw nonsense()
  }
  // A stream that was stopped ends like one that is whole.
  signal.throwIfAborted()
  const complete = [...calls.entries()]
    .sort(([a], [b]) => a - b)
    .map(([place, call]) => ({ ...call, id: call.id || `call_${place}` }))
  if (text.trim() === '' && complete.length === 0)
    throw new ModelError('nonsense', 'The model gave an empty answer')
  return { text, calls: complete }
}

function deltaOf(received: unknown) {
  const checked = chunk.safeParse(received)
  if (!checked.success) throw nonsense()
  return checked.data.choices?.[0]?.delta ?? {}
}

function grow(calls: Map<number, GrowingCall>, piece: z.output<typeof part>): void {
  const place = piece.index ?? placeOf(calls, piece.id)
  if (place >= MAX_CALLS) throw nonsense()
  const call = calls.get(place) ?? { id: '', name: '', argumentsText: '' }
  call.id ||= piece.id ?? ''
  call.name += piece.function?.name ?? ''
  call.argumentsText += piece.function?.arguments ?? ''
  calls.set(place, call)
}

/** Some servers send no index: a new id begins a new call, anything else continues the last one. */
function placeOf(calls: ReadonlyMap<number, GrowingCall>, id?: string | null): number {
  if (calls.size === 0) return 0
  const last = Math.max(...calls.keys())
  return id && calls.get(last)?.id !== id ? last + 1 : last
}

function lengthOf(content?: string | null, pieces?: readonly z.output<typeof part>[] | null) {
  const texts = (pieces ?? []).flatMap(({ function: said }) => [said?.name, said?.arguments])
  return [content, ...texts].reduce((sum, one) => sum + (one?.length ?? 0), 0)
}

function nonsense(): ModelError {
  return new ModelError('nonsense', 'The model gave an answer that could not be understood')
}
