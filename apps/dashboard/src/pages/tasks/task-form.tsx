import { useRef, useState } from 'preact/hooks'
import { Modal } from '../../parts/modal.tsx'
import { Problem } from '../../parts/states.tsx'
import { When } from '../../parts/when.tsx'
import type { RequestLink } from './request-links.ts'
import { RequestOrigin } from './request-origin.tsx'
import type { Task } from './task.ts'
import { deleteTask, saveTask } from './task-actions.ts'

interface TaskFormProps {
  readonly task: Task
  readonly link?: RequestLink
  readonly onClose: () => void
}

export function TaskForm({ task, link, onClose }: TaskFormProps) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Error>()
  // What the form began with: an agent may change the task while it is open.
  const [before] = useState(task)
  const [leaving, setLeaving] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const close = () => {
    const isChanged = form.current && Object.keys(changesIn(form.current, before)).length > 0
    if (isChanged) setLeaving(true)
    else onClose()
  }
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    const changes = changesIn(event.currentTarget as HTMLFormElement, before)
    if (Object.keys(changes).length === 0) return onClose()
    setBusy(true)
    setProblem(undefined)
    try {
      await saveTask(task.id, changes)
      onClose()
    } catch (error) {
      setProblem(error as Error)
    }
    setBusy(false)
  }
  return (
    <Modal title={`Task ${task.id}`} onClose={close}>
      <form ref={form} onSubmit={save} class="stack">
        <label class="field">
          <span>Title</span>
          <input name="title" required maxLength={200} defaultValue={task.title} />
        </label>
        <label class="field">
          <span>Description</span>
          <textarea
            name="description"
            rows={6}
            maxLength={1000}
            defaultValue={task.description ?? ''}
          />
        </label>
        <label class="check">
          <input name="completed" type="checkbox" defaultChecked={task.completed} /> Done
        </label>
        <p class="quiet-line">
          Added <When at={task.created_at} />
          {task.updated_at && (
            <>
              , changed <When at={task.updated_at} />
            </>
          )}
          {link && (
            <>
              , <RequestOrigin link={link} />
            </>
          )}
        </p>
        {problem && <Problem error={problem} />}
        {leaving && (
          <p class="problem" role="alert">
            Your changes are not saved.
          </p>
        )}
        <div class="form-actions">
          <button type="submit" class="button primary" disabled={busy}>
            Save
          </button>
          {leaving ? (
            <>
              <button type="button" class="button danger" onClick={onClose}>
                Discard
              </button>
              <button type="button" class="button" onClick={() => setLeaving(false)}>
                Keep editing
              </button>
            </>
          ) : (
            <button
              type="button"
              class="button"
              onClick={() => {
                deleteTask(task)
                onClose()
              }}
            >
              Delete
            </button>
          )}
        </div>
      </form>
    </Modal>
  )
}

function changesIn(form: HTMLFormElement, before: Task) {
  const given = new FormData(form)
  const title = String(given.get('title') ?? '')
  const description = String(given.get('description') ?? '')
  const completed = given.get('completed') === 'on'
  return {
    ...(title === before.title ? {} : { title }),
    ...(description === (before.description ?? '') ? {} : { description }),
    ...(completed === before.completed ? {} : { completed }),
  }
}
