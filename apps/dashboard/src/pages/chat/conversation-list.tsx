import { useState } from 'preact/hooks'
import { go, pathTo } from '../../live/router.ts'
import { useQuery } from '../../live/use-query.ts'
import { Modal } from '../../parts/modal.tsx'
import { Loaded } from '../../parts/states.tsx'
import { say } from '../../parts/toasts.tsx'
import { When } from '../../parts/when.tsx'
import { type Conversation, forgetConversation, listConversations } from './chat-data.ts'
import { RenameConversation } from './rename-conversation.tsx'

export function ConversationList({ current }: { readonly current: string | undefined }) {
  const query = useQuery('conversations', 'chat', listConversations)
  const [asking, setAsking] = useState<Conversation>()
  const [renaming, setRenaming] = useState<Conversation>()
  const remove = async ({ id }: Conversation) => {
    setAsking(undefined)
    try {
      await forgetConversation(id)
      if (id === current) go(pathTo(['chat']))
      say('Conversation deleted')
    } catch (error) {
      say((error as Error).message)
    }
  }
  return (
    <nav class="conversations" aria-label="Conversations">
      <a class="button" href={pathTo(['chat'])}>
        New conversation
      </a>
      <Loaded query={query}>
        {({ conversations }) => (
          <ul>
            {conversations.map((one) => (
              <li key={one.id}>
                <a
                  href={pathTo(['chat'], { conversation: one.id })}
                  aria-current={one.id === current ? 'page' : undefined}
                >
                  <span class="title">{one.title || 'Untitled'}</span>
                  <When at={one.updated_at} />
                </a>
                <button
                  type="button"
                  class="button quiet row-action"
                  aria-label={`Rename ${one.title}`}
                  onClick={() => setRenaming(one)}
                >
                  Rename
                </button>
                <button
                  type="button"
                  class="button quiet row-action"
                  aria-label={`Delete ${one.title}`}
                  onClick={() => setAsking(one)}
                >
                  Delete
                </button>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {renaming && (
        <RenameConversation conversation={renaming} onClose={() => setRenaming(undefined)} />
      )}
      {asking && (
        <Modal title="Delete this conversation?" onClose={() => setAsking(undefined)}>
          <p>
            “{asking.title}” and its {asking.message_count} messages cannot be recovered. Changes it
            made are kept.
          </p>
          <div class="form-actions">
            <button type="button" class="button danger" onClick={() => remove(asking)}>
              Delete it
            </button>
            <button type="button" class="button" onClick={() => setAsking(undefined)}>
              Keep it
            </button>
          </div>
        </Modal>
      )}
    </nav>
  )
}
