import type { JsonObject } from '../reading/loose-json.ts'
import { deedsOfCall } from './call-deeds.ts'
import { endDeeds, lastLines } from './command-end.ts'
import type { CallFacts, ChangedLines, DeedEvent, DeedFacts, Outcome } from './deed.ts'

const MAX_ANSWER = 300

export interface DoneCall extends CallFacts {
  readonly name: string
  readonly input: JsonObject
  readonly failed?: boolean
  /** Null if the agent keeps no status, so that a missing one says nothing. */
  readonly exit?: number | null
  readonly output?: string
  /** What really changed, where the agent keeps it. */
  readonly lines?: ChangedLines
}

/** What a call did that is over: a refused edit did nothing, a command that failed was still run. */
export function deedsOfDone(done: DoneCall): DeedFacts[] {
  const { name, input, call, time, cwd, failed = false, output = '', lines } = done
  const deeds = deedsOfCall(name, input, { call, time, cwd })
  const isLinked = lines !== undefined && deeds.length === 1 && deeds[0]?.lines !== undefined
  const exit =
    typeof done.exit === 'number'
      ? done.exit
      : (exitIn(output) ?? (done.exit === null ? undefined : failed ? 1 : 0))
  return endDeeds(deeds, {
    ...(failed ? { failed } : {}),
    ...(exit === undefined || isStillRunning(output) ? {} : { exit }),
    ...(output ? { output, tail: output.slice(0, MAX_ANSWER) } : {}),
    ...(isLinked ? { lines } : {}),
  })
}

/** How agents tell the exit code among the words of the output. */
export function exitIn(output: string): number | undefined {
  const code =
    /(?:^|\n)[ \t\r]*\[?(?:Process exited with code|Exit code:?|exit_code"?:|<exited with exit code|<shellId: \d+ completed with exit code|Command exited with code|Command failed with exit code:|Error: Command failed \(exit code:)\s*(-?\d+)/i.exec(
      output,
    )?.[1]
  return code === undefined ? undefined : Number(code)
}

/** The command was started and goes on: how it ends is not in this result. */
export function isStillRunning(output: string): boolean {
  return /^(Command running in background with ID|Command was manually backgrounded|Process running with session ID|Command is running in background|<command started in background)/.test(
    output.slice(0, 200).trimStart(),
  )
}

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
