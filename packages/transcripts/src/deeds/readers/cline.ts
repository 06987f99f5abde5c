import { type JsonObject, objectIn, textOf, timeOf } from '../../reading/loose-json.ts'
import type { DeedFacts } from '../deed.ts'
import { deedsOfDone } from '../done-call.ts'

/** Messages of kind `tool` hold JSON, those of kind `command` the command; its output follows in messages of its own. */
export function messageDeeds(message: JsonObject, output = ''): DeedFacts[] {
  const kind = message.say ?? message.ask
  const text = textOf(message.text)
  const time = timeOf(message.ts)
  if (text === undefined || message.partial === true) return []
  if (kind === 'command')
    return deedsOfDone({
      name: 'execute_command',
      input: { command: text.replace(/REQ_APP$/, '') },
      time,
      output,
    })
  if (kind === 'followup')
    return deedsOfDone({
      name: 'question',
      input: { question: textOf(objectIn(text).question) ?? text },
      time,
    })
  if (kind !== 'tool') return []
  const { tool, ...input } = objectIn(text)
  // In the older form `content` of an edit is its diff.
  const diff =
    tool === 'editedExistingFile' || tool === 'appliedDiff'
      ? (input.diff ?? input.content)
      : undefined
  const name = tool === 'appliedDiff' ? 'apply_diff' : String(tool)
  return deedsOfDone({ name, input: { ...input, ...(diff ? { diff } : {}) }, time })
}
