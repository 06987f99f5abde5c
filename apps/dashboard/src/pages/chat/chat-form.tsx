import { useRef } from 'preact/hooks'

interface ChatFormProps {
  readonly busy: boolean
  /** Whether the server has it. */
  readonly onSay: (text: string) => Promise<boolean>
  readonly onStop: () => void
}

export function ChatForm({ busy, onSay, onStop }: ChatFormProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const submit = async () => {
    const text = field.current?.value.trim() ?? ''
    if (text === '' || busy || !field.current) return
    field.current.value = ''
    const kept = await onSay(text)
    if (!kept && field.current?.value === '') field.current.value = text
  }
  return (
    <form
      class="chat-form"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <textarea
        ref={field}
        rows={2}
        maxLength={10_000}
        aria-label="Message"
        placeholder="Type a message. Enter sends it; Shift+Enter starts a new line."
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
          event.preventDefault()
          void submit()
        }}
      />
      {busy ? (
        <button type="button" class="button" onClick={onStop}>
          Stop
        </button>
      ) : (
        <button type="submit" class="button primary">
          Send
        </button>
      )}
    </form>
  )
}
