import type { Migration } from '../migrate.ts'
import { house } from './001-house.ts'
import { context } from './003-context.ts'

/** In the order in which they were written; a landed one never changes. */
export const migrations: readonly Migration[] = [house, context]
