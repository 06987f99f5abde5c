import {
  type JsonObject,
  listOf,
  objectIn,
  objectOf,
  textOf,
  timeOf,
} from '../../reading/loose-json.ts'
import type { DeedFacts } from '../deed.ts'
import { deedsOfDone } from '../done-call.ts'

/** A call in a message of the agent, and its result in one of the next: several commands have a result each. */
export function messageDeeds(
  message: JsonObject,
  results: ReadonlyMap<string, unknown>,
): DeedFacts[] {
  const time = timeOf(message.ts)
  return listOf(message.content)
    .map(objectOf)
    .filter(({ type }) => type === 'tool_use')
    .flatMap(({ id, name, input }) => {
      const call = textOf(id)
      const ends = endsOf(results.get(call ?? ''))
      return callsIn(String(name), objectOf(input)).flatMap((one, place) => {
        const { result, error, success } = ends[place] ?? ends[0] ?? {}
        return deedsOfDone({
          ...one,
          call: place === 0 ? call : `${call}/${place}`,
          time,
          failed: success === false,
          output: textOf(result) ?? textOf(error) ?? '',
        })
      })
    })
}

export function resultsIn(messages: readonly JsonObject[]): Map<string, unknown> {
  const blocks = messages.flatMap(({ content }) => listOf(content).map(objectOf))
  return new Map(
    blocks
      .filter(({ type }) => type === 'tool_result')
      .map(({ tool_use_id, content }) => [String(tool_use_id), content]),
  )
}

function endsOf(content: unknown): JsonObject[] {
  return Array.isArray(content) ? content.map(objectOf) : [objectIn(content)]
}

/** Its tools under the names that others gave them. */
function callsIn(name: string, input: JsonObject): { name: string; input: JsonObject }[] {
  if (name === 'run_commands')
    return listOf(input.commands).map((command) => ({
      name: 'bash',
      input: { command: textOf(command) ?? textOf(objectOf(command).command) },
    }))
  if (name === 'read_files')
    return listOf(input.files).map((file) => ({
      name: 'read',
      input: { path: textOf(file) ?? textOf(objectOf(file).path) },
    }))
  if (name === 'spawn_agent') return [{ name: 'agent', input: { prompt: input.task } }]
  if (name !== 'editor') return [{ name, input }]
  if (textOf(input.old_text) !== undefined || input.insert_line !== undefined)
    return [{ name: 'edit', input }]
  return [{ name: 'write', input: { ...input, content: input.new_text } }]
}
