import { once } from 'node:events'
import type { Agent, AgentRequest, ToolUse, Turn } from './agent.ts'
import {
  type ChatModel,
  type ModelAnswer,
  ModelError,
  type ModelMessage,
  type ModelQuestion,
} from './chat-model.ts'
import { describeCall } from './plain-words.ts'
import { systemPrompt } from './system-prompt.ts'
import { runCalls } from './tool-runner.ts'
import type { Toolbox } from './toolbox.ts'

const MOST_STEPS = 8
/** Everything that the model does for one message, retries and all its steps, ends within this. */
export const ANSWER_LIMIT_MS = 60_000

/** The loop: ask, run the tools asked for, feed the results back, until the model answers or a bound is reached. */
export function createModelAgent(
  model: ChatModel,
  toolbox: Toolbox,
  limitMs = ANSWER_LIMIT_MS,
): Agent {
  return {
    name: model.name,
    async answer(request) {
      const limit = AbortSignal.timeout(limitMs)
      const messages = opening(request)
      const uses: ToolUse[] = []
      for (let step = 0; step < MOST_STEPS; step++) {
        const { text, calls } = await askWithin(limit, model, {
          messages,
          tools: toolbox.definitions,
          signal: request.signal,
          onText: (delta) => request.onEvent({ type: 'text', delta }),
        })
        if (calls.length === 0) return { text, uses }
        const { ran, pending } = await runCalls(calls, toolbox, request)
        uses.push(...ran.flatMap(({ use }) => (use ? [use] : [])))
        if (pending) return confirmation(pending, uses, request)
        messages.push({ role: 'assistant', content: text, calls })
        for (const { call, content } of ran)
          messages.push({ role: 'tool', callId: call.id, content })
      }
      if (uses.length === 0)
        throw new ModelError('nonsense', 'The model kept asking for tools without making progress')
      const text = `I stopped after ${MOST_STEPS} steps without a final answer. Done so far: ${uses.map(describeCall).join('; ')}.`
      request.onEvent({ type: 'text', delta: text })
      return { text, uses }
    },
  }
}

/** A client may sleep between its retries without looking at the signal: the limit does not wait for it. */
async function askWithin(
  limit: AbortSignal,
  model: ChatModel,
  question: ModelQuestion,
): Promise<ModelAnswer> {
  const controller = new AbortController()
  const sources = [question.signal, limit]
  const stop = () => controller.abort(sources.find(({ aborted }) => aborted)?.reason)
  for (const source of sources) source.addEventListener('abort', stop)
  if (sources.some(({ aborted }) => aborted)) stop()
  try {
    controller.signal.throwIfAborted()
    return await Promise.race([
      model.ask({ ...question, signal: controller.signal }),
      once(controller.signal, 'abort').then(() => Promise.reject(controller.signal.reason)),
    ])
  } catch (error) {
    if (!limit.aborted || question.signal.aborted) throw error
    throw new ModelError('slow', 'The model took too long to answer', error)
  } finally {
    for (const source of sources) source.removeEventListener('abort', stop)
  }
}

function opening({ history, message }: AgentRequest): ModelMessage[] {
  const past = history.map(
    ({ sender, content }): ModelMessage => ({
      role: sender === 'ai' ? 'assistant' : 'user',
      content,
    }),
  )
  return [{ role: 'system', content: systemPrompt }, ...past, { role: 'user', content: message }]
}

function confirmation(
  pending: NonNullable<Turn['pending']>,
  uses: readonly ToolUse[],
  request: AgentRequest,
): Turn {
  const text = `This cannot be undone: ${describeCall(pending)}. Shall I go on? Answer yes or no.`
  request.onEvent({ type: 'text', delta: text })
  return { text, uses, pending }
}
