import { useEffect, useRef } from 'preact/hooks'
import { addTask } from './task-actions.ts'

export function NewTask({ focus }: { readonly focus: boolean }) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (focus) field.current?.focus()
  }, [focus])
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const title = String(new FormData(form).get('title') ?? '').trim()
    if (title === '') return
    // The next one can be typed while this one is on its way; one that was not taken comes back.
    form.reset()
    if (!(await addTask(title)) && field.current?.value === '') field.current.value = title
    // Whoever has gone on to something else while it was being added keeps the focus there.
    if (document.activeElement === document.body || form.contains(document.activeElement))
      field.current?.focus()
  }
  return (
    <form class="new-task" onSubmit={submit}>
      <input
        ref={field}
        id="new-task"
        name="title"
        maxLength={200}
        placeholder="Add a task"
        aria-label="New task"
        autocomplete="off"
      />
      <button type="submit" class="button primary">
        Add
      </button>
    </form>
  )
}
