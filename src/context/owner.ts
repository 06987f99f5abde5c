import type { Caller } from '../core/tool.ts'

/** Whose knowledge it is and of which project: nobody sees another's. */
export type Owner = Pick<Caller, 'user' | 'project'>
