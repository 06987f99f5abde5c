import { type JsonObject, objectOf, textOf, timeOf } from '../../reading/loose-json.ts'
import { diffLines } from '../call-deeds.ts'
import type { DeedFacts } from '../deed.ts'
import { deedsOfDone } from '../done-call.ts'

/** A part of type `tool`: input, output and what the tool noted besides. */
export function partDeeds(part: JsonObject): DeedFacts[] {
  const { input, status, output, error, metadata: noted, time } = objectOf(part.state)
  if (part.type !== 'tool' || (status !== 'completed' && status !== 'error')) return []
  const metadata = objectOf(noted)
  const diff = textOf(metadata.diff)
  const { exit } = metadata
  return deedsOfDone({
    name: String(part.tool),
    input: objectOf(input),
    call: textOf(part.callID),
    time: timeOf(objectOf(time).start),
    failed: status === 'error',
    output: textOf(output) ?? textOf(error) ?? '',
    ...(typeof exit === 'number' ? { exit } : {}),
    ...(diff === undefined ? {} : { lines: diffLines(diff) }),
  })
}
