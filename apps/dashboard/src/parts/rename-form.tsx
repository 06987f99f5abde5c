import { useRef, useState } from 'preact/hooks'
import { ChangedMeanwhile, foundMeanwhile } from './changed-meanwhile.tsx'
import { Modal } from './modal.tsx'
import { say } from './toasts.tsx'

interface RenameProps {
  readonly what: string
  readonly label: string
  readonly name: string
  readonly longest: number
  /** Saves the new name if the thing still has the one that was seen. */
  readonly save: (name: string, before: string) => Promise<void>
  readonly onClose: () => void
}

export function RenameForm({ what, label, name, longest, save, onClose }: RenameProps) {
  const form = useRef<HTMLFormElement>(null)
  // As it was when the person began: the list behind the form goes on.
  const [seen] = useState(name)
  const [theirs, setTheirs] = useState<string>()
  const rename = async (before: string) => {
    if (!form.current) return
    try {
      await save(String(new FormData(form.current).get('name')).trim(), before)
      onClose()
    } catch (error) {
      setTheirs(foundMeanwhile<{ name: string }>(error)?.name)
      say((error as Error).message)
    }
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    void rename(seen)
  }
  return (
    <Modal title={`Rename ${what}`} onClose={onClose}>
      <form ref={form} class="stack" onSubmit={submit}>
        <label class="field">
          <span>{label}</span>
          <input name="name" required maxLength={longest} defaultValue={seen} />
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
