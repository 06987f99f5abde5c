import type { JsonObject } from '../reading/loose-json.ts'
import { deedsOfCall } from './call-deeds.ts'
import type { CallFacts, DeedEvent, Outcome } from './deed.ts'
import { exitIn, isStillRunning } from './done-call.ts'
import { lastLines } from './last-lines.ts'

/** A call whose result stands in a later record. */
export function callBegun(name: string, input: JsonObject, facts: CallFacts): DeedEvent[] {
  return deedsOfCall(name, input, facts).map((begun) => ({ begun, waits: true }))
}

interface Ending extends Pick<Outcome, 'exit' | 'failed' | 'lines'> {
  readonly output: string
}

/** Its result: the exit code as the agent noted it, or as its words tell it. */
export function callEnded(
  call: string | undefined,
  { output, failed = false, lines, exit: noted }: Ending,
): DeedEvent[] {
  if (call === undefined) return []
  const told = noted ?? exitIn(output) ?? (failed ? undefined : 0)
  const exit = isStillRunning(output) ? undefined : told
  const outcome: Outcome = {
    output,
    ...(failed && exit === undefined ? { failed } : {}),
    ...(exit === undefined ? {} : { exit }),
    ...(exit === 0 ? {} : { tail: lastLines(output) }),
    ...(lines ? { lines } : {}),
  }
  return [{ ended: call, outcome }]
}
