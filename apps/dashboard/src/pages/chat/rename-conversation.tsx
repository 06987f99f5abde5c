import { useRef, useState } from 'preact/hooks'
import { ChangedMeanwhile, foundMeanwhile } from '../../parts/changed-meanwhile.tsx'
import { Modal } from '../../parts/modal.tsx'
import { say } from '../../parts/toasts.tsx'
import { type Conversation, renameConversation } from './chat-data.ts'

interface RenameProps {
  readonly conversation: Conversation
  readonly onClose: () => void
}

export function RenameConversation({ conversation: { id, title }, onClose }: RenameProps) {
  const form = useRef<HTMLFormElement>(null)
  const [theirs, setTheirs] = useState<string>()
  const rename = async (before: string) => {
    if (!form.current) return
    const given = new FormData(form.current)
    try {
      await renameConversation(id, { title: String(given.get('title')), before })
      onClose()
    } catch (error) {
      setTheirs(foundMeanwhile<{ title: string }>(error)?.title)
      say((error as Error).message)
    }
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    void rename(title)
  }
  return (
    <Modal title="Rename conversation" onClose={onClose}>
      <form ref={form} class="stack" onSubmit={submit}>
        <label class="field">
          <span>Title</span>
          <input name="title" required maxLength={200} defaultValue={title} />
        </label>
        {theirs !== undefined && (
          <ChangedMeanwhile onMine={() => void rename(theirs)} onTheirs={onClose}>
            <p>{theirs}</p>
          </ChangedMeanwhile>
        )}
        <div class="form-actions">
          <button type="submit" class="button primary">
            Rename
          </button>
        </div>
      </form>
    </Modal>
  )
}
