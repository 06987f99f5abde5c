import type { Migration } from '../migrate.ts'
import { house } from './001-house.ts'
import { guide } from './002-guide.ts'
import { context } from './003-context.ts'
import { dialogs } from './004-dialogs.ts'
import { chat } from './005-chat.ts'
import { taskRequests } from './006-task-requests.ts'
import { dialogStoredAt } from './007-dialog-stored-at.ts'
import { localSearchIndex } from './008-local-search-index.ts'
import { roles } from './009-roles.ts'
import { discoveriesByType } from './010-discoveries-by-type.ts'
import { dialogsReadAgain } from './011-dialogs-read-again.ts'
import { discoverySources } from './012-discovery-sources.ts'
import { dialogsRemoved } from './013-dialogs-removed.ts'
import { replicas } from './014-replicas.ts'
import { taskWork } from './015-task-work.ts'
import { calls } from './016-calls.ts'
import { spaces } from './017-spaces.ts'
import { redactions } from './018-redactions.ts'
import { dialogsByChange } from './019-dialogs-by-change.ts'
import { requestsInSpaces } from './020-requests-in-spaces.ts'
import { sharedNotes } from './021-shared-notes.ts'
import { sync } from './022-sync.ts'
import { spaceDocuments } from './023-space-documents.ts'
import { suggestions } from './024-suggestions.ts'
import { repliesRead } from './025-replies-read.ts'
import { pins } from './026-pins.ts'
import { signInAndInvitations } from './027-sign-in-and-invitations.ts'

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
]
