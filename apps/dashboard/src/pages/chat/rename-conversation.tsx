import { RenameForm } from '../../parts/rename-form.tsx'
import { type Conversation, renameConversation } from './chat-data.ts'

interface RenameProps {
  readonly conversation: Conversation
  readonly onClose: () => void
}

export function RenameConversation({ conversation: { id, title }, onClose }: RenameProps) {
  return (
    <RenameForm
      what="conversation"
      label="Title"
      name={title}
      longest={200}
      save={(name, before) => renameConversation(id, { title: name, before })}
      onClose={onClose}
    />
  )
}
