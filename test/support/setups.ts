import { type EngineUnderTest, engines } from './engines.ts'
import { type Connect, connectHttp, connectStdio } from './mcp-client.ts'

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

/** Both transports and both engines, each once: what holds on these two pairs holds on the other two. */
export const setups: readonly Setup[] = [
  { name: 'stdio on sqlite', connect: connectStdio, engine: on('sqlite') },
  { name: 'http on postgres', connect: connectHttp, engine: on('postgres') },
]
