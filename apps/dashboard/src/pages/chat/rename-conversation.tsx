import { Modal } from '../../parts/modal.tsx'
import { say } from '../../parts/toasts.tsx'
import { type Conversation, renameConversation } from './chat-data.ts'

interface RenameProps {
  readonly conversation: Conversation
  readonly onClose: () => void
}

export function RenameConversation({ conversation: { id, title }, onClose }: RenameProps) {
  const rename = async (event: SubmitEvent) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget as HTMLFormElement)
    try {
      await renameConversation(id, String(given.get('title')))
      onClose()
    } catch (error) {
      say((error as Error).message)
    }
  }
  return (
    <Modal title="Rename conversation" onClose={onClose}>
      <form class="stack" onSubmit={rename}>
        <label class="field">
          <span>Title</span>
          <input name="title" required maxLength={200} defaultValue={title} />
        </label>
        <div class="form-actions">
          <button type="submit" class="button primary">
            Rename
          </button>
        </div>
      </form>
    </Modal>
  )
}
