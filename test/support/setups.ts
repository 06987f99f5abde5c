import { type EngineUnderTest, engines } from './engines.ts'
import { type Connect, connectStdio } from './mcp-client.ts'
import { connectReplicas } from './replicas.ts'

export interface Setup {
  readonly name: string
  readonly connect: Connect
  readonly engine: EngineUnderTest
}

const on = (name: EngineUnderTest['name']) => {
  const engine = engines.find((one) => one.name === name)
  if (!engine) throw new Error(`no engine ${name}`)
  return engine
}

/** One process alone, and two servers behind a proxy on one database: what holds on these holds for what lies between. */
export const setups: readonly Setup[] = [
  { name: 'stdio on sqlite', connect: connectStdio, engine: on('sqlite') },
  { name: 'replicas on postgres', connect: connectReplicas, engine: on('postgres') },
]
