import type { DeedFacts } from '../deeds/deed.ts'
import { type JsonObject, objectOf, textOf, timeOf } from '../reading/loose-json.ts'

/** The words of a message. A command that starts an agent of its own leaves nothing but its name. */
export function partsText(parts: readonly JsonObject[]): string | undefined {
  const texts = parts.filter(
    ({ type, synthetic, ignored }) => type === 'text' && !synthetic && !ignored,
  )
  const command = textOf(parts.find(({ type }) => type === 'subtask')?.command)
  return (
    textOf(texts.map(({ text }) => textOf(text) ?? '').join('\n')) ?? (command && `/${command}`)
  )
}

/** What an undo left: everything before the message that it names, and that one too where only a part of it was undone. */
export function keptOf<T>(
  messages: readonly T[],
  { messageID, partID }: JsonObject,
  idOf: (message: T) => string,
): readonly T[] {
  const place = messages.findIndex((message) => idOf(message) === messageID)
  if (place === -1) return messages
  return messages.slice(0, partID === undefined ? place : place + 1)
}

/** The person stopped the agent while it wrote this message. */
export function interruptIn({ error, time }: JsonObject): DeedFacts[] {
  if (objectOf(error).name !== 'MessageAbortedError') return []
  const { completed, created } = objectOf(time)
  return [{ kind: 'interrupt', time: timeOf(completed) ?? timeOf(created) }]
}
