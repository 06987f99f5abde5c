import OpenAI from 'openai'
import type { FunctionDefinition } from '@secretary-mcp/core/catalogue.ts'
import {
  type ChatModel,
  type ModelAnswer,
  ModelError,
  type ModelMessage,
  type ModelQuestion,
  type RequestedCall,
} from './chat-model.ts'
import { fetchOnlyFrom } from './fetch-only-from.ts'
import { collectAnswer } from './streamed-answer.ts'
import { strictSchemaOf } from './strict-schema.ts'

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
