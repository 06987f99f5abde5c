import type { Conversations } from '../agent/conversations.ts'
import type { Change, Changes } from '@secretary-mcp/core/changes.ts'
import type { ReplicaEvent, ReplicaEvents } from '@secretary-mcp/core/replica-events.ts'

interface Parts {
  readonly events: ReplicaEvents
  readonly changes: Changes
  readonly conversations: Conversations
}

const EVERY_LIST: readonly Change[] = [{ kind: 'resources' }, { kind: 'prompts' }]

/** What happens here is told to the other servers. Returns how to hear what happens there. */
export function shareEvents({ events, changes, conversations }: Parts): {
  follow(): { close(): Promise<void> }
} {
  changes.listen((change, origin) => {
    if (origin === 'here') events.publish({ kind: 'change', change })
  })
  conversations.onChange((user, origin) => {
    if (origin === 'here') events.publish({ kind: 'chat', user })
  })
  const heard = (event: ReplicaEvent) => {
    if (event.kind === 'change') changes.announce(event.change, 'elsewhere')
    else if (event.kind === 'chat') conversations.announce(event.user, 'elsewhere')
    else for (const change of EVERY_LIST) changes.announce(change, 'elsewhere')
  }
  return { follow: () => events.follow(heard) }
}
