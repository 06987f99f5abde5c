import type { JsonObject } from '../reading/loose-json.ts'
import { deedsOfCall } from './call-deeds.ts'
import type { ChangedLines, DeedFacts } from './deed.ts'
import { lastLines } from './last-lines.ts'

export interface DoneCall {
  readonly name: string
  readonly input: JsonObject
  readonly call?: string
  readonly time?: number
  readonly failed?: boolean
  readonly exit?: number
  readonly output?: string
  /** What really changed, where the agent keeps it. */
  readonly lines?: ChangedLines
}

/** What a call did that is over: a refused edit did nothing, a command that failed was still run. */
export function deedsOfDone(done: DoneCall): DeedFacts[] {
  const { name, input, call, time, failed = false, output = '', lines } = done
  const exit = done.exit ?? exitIn(output)
  const deeds = deedsOfCall(name, input, { call, time })
  const isBad = failed || (exit !== undefined && exit !== 0)
  return deeds.flatMap((deed): DeedFacts[] => {
    if (deed.kind === 'command') {
      const ended = exit ?? (failed ? 1 : 0)
      return [{ ...deed, exit: ended, ...(ended === 0 ? {} : { tail: lastLines(output) }) }]
    }
    if (deed.kind === 'question' || deed.kind === 'helper')
      return [{ ...deed, ...(output ? { tail: output.slice(0, 300) } : {}) }]
    if (isBad) return []
    if (deed.kind === 'commit') return [{ ...deed, ...commitIn(output) }]
    return [lines && deed.lines && deeds.length === 1 ? { ...deed, lines } : deed]
  })
}

/** How agents tell the exit code among the words of the output. */
export function exitIn(output: string): number | undefined {
  const code =
    /(?:^|\n)\s*\[?(?:Process exited with code|Exit code:?|exit_code"?:|<exited with exit code|<shellId: \d+ completed with exit code|Command exited with code|Command failed with exit code:|Error: Command failed \(exit code:)\s*(-?\d+)/i.exec(
      output,
    )?.[1]
  return code === undefined ? undefined : Number(code)
}

export function commitIn(output: string): { tail?: string } {
  const commit = /^\[[^\]\n]*?\b([\da-f]{7,40})\]/m.exec(output)?.[1]
  return commit === undefined ? {} : { tail: commit }
}
