import * as z from 'zod'
import { type ModelAnswer, ModelError, type ModelQuestion } from './chat-model.ts'

const MOST_CALLS = 64
/** Of everything that one answer says, arguments included. */
const LONGEST_ANSWER = 1_000_000

const part = z.object({
  index: z
    .int()
    .min(0)
    .max(MOST_CALLS - 1)
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
            tool_calls: z.array(part).max(MOST_CALLS).nullish(),
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
export async function collectAnswer(
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
    if (length > LONGEST_ANSWER) throw nonsense()
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
  if (place >= MOST_CALLS) throw nonsense()
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
