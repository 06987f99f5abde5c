import { join } from 'node:path'
import { AgentsHome } from '../../../../test/support/agents-home.ts'
import type { Windows } from './windows.ts'

/** The home that code-server runs in, over the folder of a window. */
export function homeOf({ work }: Windows, project: string): AgentsHome {
  return Object.assign(Object.create(AgentsHome.prototype), { home: join(work, 'home'), project })
}
