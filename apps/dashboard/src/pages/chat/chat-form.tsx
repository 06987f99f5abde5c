import { useRef } from 'preact/hooks'

interface ChatFormProps {
  readonly busy: boolean
  readonly onSay: (text: string) => void
  readonly onStop: () => void
}

export function ChatForm({ busy, onSay, onStop }: ChatFormProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const submit = () => {
    const text = field.current?.value.trim() ?? ''
    if (text === '' || busy || !field.current) return
    field.current.value = ''
    onSay(text)
  }
  return (
    <form
      class="chat-form"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <textarea
        ref={field}
        rows={2}
        maxLength={10_000}
        aria-label="Message"
        placeholder="Say something. Enter sends, Shift and Enter makes a new line."
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
          event.preventDefault()
          submit()
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
