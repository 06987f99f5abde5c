import { useRef, useState } from 'preact/hooks'
import { Modal } from '../../parts/modal.tsx'
import type { Task } from './task.ts'
import { addTask } from './task-actions.ts'
import { changesIn, type Draft, TaskFields } from './task-fields.tsx'

interface TaskDraftProps {
  readonly draft: Draft
  /** Before the form closes, so that what belongs to the task is there with it. */
  readonly onAdded: (task: Pick<Task, 'id'>) => Promise<void>
  readonly onClose: () => void
}

const NOTHING: Draft = { title: '', description: null, completed: false }

/** A task that is not there yet, filled in as far as it is known. */
export function TaskDraft({ draft, onAdded, onClose }: TaskDraftProps) {
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const add = async (event: SubmitEvent) => {
    event.preventDefault()
    if (busy || !form.current) return
    setBusy(true)
    const { title = '', ...rest } = changesIn(form.current, NOTHING)
    const task = await addTask(title, rest)
    if (task) {
      await onAdded(task)
      onClose()
    }
    setBusy(false)
  }
  return (
    <Modal title="New task" onClose={onClose}>
      <form ref={form} onSubmit={add} class="stack">
        <TaskFields task={draft} />
        <div class="form-actions">
          <button type="submit" class="button primary" disabled={busy}>
            Add task
          </button>
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Modal>
  )
}
