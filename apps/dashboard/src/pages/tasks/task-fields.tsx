import type { Task } from './task.ts'
import { STATES, stateOf } from './task.ts'

export type Draft = Pick<Task, 'title' | 'description' | 'completed'> &
  Partial<Pick<Task, 'state' | 'priority' | 'labels' | 'files'>>

/** The fields of a task, for one that is there and for one that is about to be. */
export function TaskFields({ task }: { readonly task: Draft }) {
  const { title, description, priority = 'normal', labels = [], files = [] } = task
  return (
    <>
      <label class="field">
        <span>Title</span>
        <input name="title" required maxLength={200} defaultValue={title} />
      </label>
      <label class="field">
        <span>Description</span>
        <textarea name="description" rows={5} maxLength={1000} defaultValue={description ?? ''} />
      </label>
      <div class="field-row">
        <label class="field">
          <span>State</span>
          <select name="state">
            {STATES.map(([state, name]) => (
              <option key={state} value={state} selected={state === stateOf(task as Task)}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>Priority</span>
          <select name="priority">
            {['high', 'normal', 'low'].map((one) => (
              <option key={one} value={one} selected={one === priority}>
                {one}
              </option>
            ))}
          </select>
        </label>
      </div>
      <label class="field">
        <span>Labels, separated by commas</span>
        <input name="labels" maxLength={400} defaultValue={labels.join(', ')} />
      </label>
      <label class="field">
        <span>Files, one in a line</span>
        <textarea name="files" rows={2} class="path" defaultValue={files.join('\n')} />
      </label>
    </>
  )
}

/** What a form says that a task does not say yet. */
export function changesIn(form: HTMLFormElement, before: Draft) {
  const given = new FormData(form)
  const text = (name: string) => String(given.get(name) ?? '')
  const [title, description] = [text('title'), text('description')]
  const state = text('state') as ReturnType<typeof stateOf>
  const priority = text('priority') as 'high' | 'normal' | 'low'
  const labels = listed(text('labels'), ',')
  const files = listed(text('files'), '\n')
  return {
    // A field of one line drops line breaks, and one of several knows a single kind of them.
    ...(title === before.title.replace(/[\r\n]+/g, '') ? {} : { title }),
    ...(description === (before.description ?? '').replace(/\r\n?/g, '\n') ? {} : { description }),
    ...(state === stateOf(before as Task) ? {} : { state }),
    ...(priority === (before.priority ?? 'normal') ? {} : { priority }),
    ...(isSame(labels, before.labels) ? {} : { labels }),
    ...(isSame(files, before.files) ? {} : { files }),
  }
}

function listed(text: string, between: string): string[] {
  return text
    .split(between)
    .map((one) => one.trim())
    .filter(Boolean)
}

function isSame(given: readonly string[], before: readonly string[] = []): boolean {
  return given.join('\0') === before.join('\0')
}
