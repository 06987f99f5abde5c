import type { Migration } from '../migrate.ts'
import {
  context,
  discoveriesByType,
  discoverySources,
  localSearchIndex,
  sharedNotes,
  suggestions,
} from './context.ts'
import {
  dialogStoredAt,
  dialogs,
  dialogsByChange,
  dialogsReadAgain,
  dialogsRemoved,
  dismissals,
  pins,
  redactions,
  repliesRead,
  requestsInSpaces,
} from './dialogs.ts'
import { guide, spaceDocuments } from './guide.ts'
import { roles, signInAndInvitations, spaces } from './people.ts'
import { calls, chat, replicas, sync } from './server.ts'
import { house, taskRequests, taskWork } from './tasks.ts'

/** In the order in which they were written; a landed one never changes. */
export const migrations: readonly Migration[] = [
  house,
  guide,
  context,
  dialogs,
  chat,
  taskRequests,
  dialogStoredAt,
  localSearchIndex,
  roles,
  discoveriesByType,
  dialogsReadAgain,
  discoverySources,
  dialogsRemoved,
  replicas,
  taskWork,
  calls,
  spaces,
  redactions,
  dialogsByChange,
  requestsInSpaces,
  sharedNotes,
  sync,
  spaceDocuments,
  suggestions,
  repliesRead,
  pins,
  signInAndInvitations,
  dismissals,
]
