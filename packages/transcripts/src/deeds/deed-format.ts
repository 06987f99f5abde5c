import type { Deed, DeedEvent } from './deed.ts'

/** Calls whose results have yet to come, by the agent's own id. */
export type Waiting = ReadonlyMap<string, readonly Deed[]>

/** How one agent's transcript of lines tells what was done. */
export interface DeedFormat {
  /** What a line tells by its bytes alone; most tell nothing, and results are long. */
  glance(line: Buffer, waiting: Waiting): 'parse' | readonly DeedEvent[]
  read(record: unknown): readonly DeedEvent[]
}
