import { inject } from 'vitest'
import { type EngineUnderTest, engines } from './engines.ts'
import { connectInProcess } from './in-process.ts'
import { type Connect, connectStdio } from './mcp-client.ts'
import { connectReplicas } from './replicas.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether this project's servers run in the process of its tests. */
    inProcess?: boolean
  }
}

export interface Setup {
  readonly name: string
  readonly connect: Connect
  readonly engine: EngineUnderTest
}

const isInProcess = inject('inProcess') === true

/** For a test that does not depend on the transport. */
export const connect: Connect = isInProcess ? connectInProcess : connectStdio

/** One process alone, and two servers behind a proxy on one database: what holds on these holds for what lies between. */
export const setups: readonly Setup[] = isInProcess
  ? engines.flatMap((engine) =>
      engine.name === 'sqlite' ? [{ name: 'in process on sqlite', connect, engine }] : [],
    )
  : engines.map((engine) =>
      engine.name === 'sqlite'
        ? { name: 'stdio on sqlite', connect, engine }
        : { name: 'replicas on postgres', connect: connectReplicas, engine },
    )
