import { useEffect, useRef } from 'preact/hooks'

interface LabelFormProps {
  readonly onLabel: (label: string) => void
  readonly onClose: () => void
}

/** Takes the place of the button that opened it: Enter adds the label, Escape closes it. */
export function LabelForm({ onLabel, onClose }: LabelFormProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const add = (event: SubmitEvent) => {
    event.preventDefault()
    const label = field.current?.value.trim()
    if (label) onLabel(label)
  }
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onClose()
  }
  return (
    <form class="label-form" aria-label="Add label" onSubmit={add} onKeyDown={closeOnEscape}>
      <input ref={field} aria-label="Label" placeholder="Label" required maxLength={50} />
      <button type="submit" class="button primary">
        Add
      </button>
      <button type="button" class="button quiet" onClick={onClose}>
        Cancel
      </button>
    </form>
  )
}
