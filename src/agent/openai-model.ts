import OpenAI from 'openai'
import {
  type ChatModel,
  type ModelAnswer,
  ModelError,
  type ModelMessage,
  type ModelQuestion,
  type RequestedCall,
} from './chat-model.ts'

export interface OpenAiConfig {
  readonly model: string
  readonly url?: string
  readonly key?: string
  readonly timeoutMs: number
  readonly retries: number
}

/** Any endpoint that speaks OpenAI's chat completions. The one file that knows that wire format. */
export function createOpenAiModel({ model, url, key, timeoutMs, retries }: OpenAiConfig): ChatModel {
  // Local servers want no key, but the client refuses to start without one.
  const client = new OpenAI({ baseURL: url, apiKey: key ?? 'none', timeout: timeoutMs, maxRetries: retries })
  return {
    name: model,
    async ask(question) {
      try {
        const stream = await client.chat.completions.create(
          {
            model,
            messages: question.messages.map(wireMessage),
            ...(question.tools.length > 0
              ? {
                  tools: question.tools.map((tool) => ({
                    ...tool,
                    function: { ...tool.function, parameters: { ...tool.function.parameters } },
                  })),
                }
              : {}),
            stream: true,
          },
          { signal: question.signal },
        )
        return await collect(stream, question)
      } catch (error) {
        throw translate(error, question.signal)
      }
    },
  }
}

function wireMessage(message: ModelMessage): OpenAI.ChatCompletionMessageParam {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.callId, content: message.content }
  if (message.role !== 'assistant' || !message.calls?.length) return { role: message.role, content: message.content }
  const tool_calls = message.calls.map(({ id, name, argumentsText }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: argumentsText },
  }))
  return { role: 'assistant', content: message.content || null, tool_calls }
}

async function collect(stream: AsyncIterable<OpenAI.ChatCompletionChunk>, { onText }: ModelQuestion): Promise<ModelAnswer> {
  let text = ''
  const calls: { id: string; name: string; argumentsText: string }[] = []
  for await (const chunk of stream) {
    const delta = chunk.choices?.[0]?.delta
    if (delta?.content) {
      text += delta.content
      onText(delta.content)
    }
    for (const part of delta?.tool_calls ?? []) {
      calls[part.index] ??= { id: '', name: '', argumentsText: '' }
      const call = calls[part.index]
      if (!call) continue
      call.id ||= part.id ?? ''
      call.name += part.function?.name ?? ''
      call.argumentsText += part.function?.arguments ?? ''
    }
  }
  const complete: RequestedCall[] = calls.filter(Boolean).map((call, place) => ({ ...call, id: call.id || `call_${place}` }))
  if (text.trim() === '' && complete.length === 0) throw new ModelError('nonsense', 'The model gave an empty answer')
  return { text, calls: complete }
}

function translate(error: unknown, signal: AbortSignal): Error {
  if (error instanceof ModelError) return error
  if (signal.aborted) return error instanceof Error ? error : new Error(String(error))
  if (error instanceof OpenAI.APIConnectionTimeoutError) return new ModelError('slow', 'The model took too long to answer', error)
  if (error instanceof OpenAI.APIConnectionError) return new ModelError('unreachable', 'The model cannot be reached', error)
  if (error instanceof OpenAI.RateLimitError)
    return new ModelError('rate_limited', 'The model takes no more questions for the moment', error)
  if (
    error instanceof OpenAI.AuthenticationError ||
    error instanceof OpenAI.PermissionDeniedError ||
    error instanceof OpenAI.NotFoundError
  ) {
    return new ModelError(
      'refused',
      'The model refused the question; check SECRETARY_MODEL, SECRETARY_MODEL_URL and SECRETARY_MODEL_KEY',
      error,
    )
  }
  if (error instanceof OpenAI.APIError) return new ModelError('unreachable', 'The model answered with an error', error)
  return new ModelError('nonsense', 'The model gave an answer that could not be understood', error)
}
