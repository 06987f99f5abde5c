import { useEffect, useRef, useState } from 'preact/hooks'
import { ChangedMeanwhile, foundMeanwhile } from '../../parts/changed-meanwhile.tsx'
import { Modal } from '../../parts/modal.tsx'
import { Problem } from '../../parts/states.tsx'
import { When } from '../../parts/when.tsx'
import { FilePath } from '../dialogs/file-path.tsx'
import type { RequestLink } from './request-links.ts'
import { RequestOrigin } from './request-origin.tsx'
import type { Task } from './task.ts'
import { deleteTask, saveTask } from './task-actions.ts'
import { changesIn, TaskFields } from './task-fields.tsx'
import { TheirFields, type Theirs, takeTheirs, theirFields } from './their-fields.tsx'
import { keepUnsaved, takeUnsaved } from './unsaved-tasks.ts'

interface TaskFormProps {
  readonly task: Task
  readonly link?: RequestLink
  readonly onClose: () => void
}

export function TaskForm({ task, link, onClose }: TaskFormProps) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Error>()
  const [unsaved] = useState(() => takeUnsaved(task.id))
  // What the form began with: an agent may change the task while it is open.
  const before = useRef(unsaved?.before ?? task)
  const [theirs, setTheirs] = useState<Theirs>()
  const [leaving, setLeaving] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const isSettled = useRef(false)
  const changes = () => (form.current ? changesIn(form.current, before.current) : {})
  useEffect(() => {
    const current = form.current
    const warn = (event: BeforeUnloadEvent) => {
      if (Object.keys(changes()).length > 0) event.preventDefault()
    }
    window.addEventListener('beforeunload', warn)
    return () => {
      window.removeEventListener('beforeunload', warn)
      // Whoever leaves by the browser's own Back finds it again.
      if (current && !isSettled.current)
        keepUnsaved({ changes: changesIn(current, before.current), before: before.current })
    }
  }, [])
  const settle = () => {
    isSettled.current = true
    onClose()
  }
  const close = () => (Object.keys(changes()).length > 0 ? setLeaving(true) : settle())
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    const made = changes()
    if (Object.keys(made).length === 0) return settle()
    setBusy(true)
    setProblem(undefined)
    try {
      await saveTask(before.current, made)
      settle()
    } catch (error) {
      const found = foundMeanwhile<Theirs>(error)
      setTheirs(found)
      if (!found) setProblem(error as Error)
    }
    setBusy(false)
  }
  const decide = (isMine: boolean) => {
    if (!theirs || !form.current) return
    before.current = { ...before.current, ...theirFields(theirs) }
    setTheirs(undefined)
    if (isMine) form.current.requestSubmit()
    else takeTheirs(form.current, theirs)
  }
  const { priority, ...restored } = unsaved?.changes ?? {}
  const shown = {
    ...before.current,
    ...restored,
    ...(priority && priority !== 'normal' ? { priority } : {}),
  }
  return (
    <Modal title={`Task ${task.id}`} onClose={close}>
      <form ref={form} onSubmit={save} class="stack">
        {unsaved && <p class="quiet-line">Your unsaved changes are back.</p>}
        <TaskFields task={{ ...shown, ...stateIn(shown) }} />
        {task.files && task.files.length > 0 && (
          <p class="task-files">
            {task.files.map((path) => (
              <FilePath key={path} path={path} isHere />
            ))}
          </p>
        )}
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
          {task.project && <span class="path about-project">{task.project}</span>}
        </p>
        {problem && <Problem error={problem} />}
        {theirs && (
          <ChangedMeanwhile onMine={() => decide(true)} onTheirs={() => decide(false)}>
            <TheirFields theirs={theirs} />
          </ChangedMeanwhile>
        )}
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
              <button type="button" class="button danger" onClick={settle}>
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
                settle()
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

function stateIn({ state, completed }: { state?: string; completed: boolean }) {
  if (state === 'open') return { state: undefined, completed: false }
  if (state === 'done') return { state: undefined, completed: true }
  return { state: state as Task['state'], completed: state === undefined && completed }
}
