import type { setProjectFlag } from '../../../../../src/guide/tools/set-project-flag.ts'
import { callTool } from '../../live/call-tool.ts'
import { changed } from '../../live/topics.ts'
import { say } from '../../parts/toasts.tsx'

type Value = Parameters<typeof setFlag>[1]

/** For this project; null removes it. */
export async function setFlag(
  name: string,
  value: boolean | string | string[] | null,
): Promise<void> {
  try {
    await callTool<typeof setProjectFlag>('guide', 'set_project_flag', { name, value })
  } catch (error) {
    say((error as Error).message)
  }
  changed('guide')
}

/** A flag that is true or false is a switch; anything else is shown as it is. */
export function FlagValue({ name, value }: { readonly name: string; readonly value: unknown }) {
  if (typeof value !== 'boolean') return <code class="wrap">{JSON.stringify(value)}</code>
  return (
    <input
      type="checkbox"
      role="switch"
      aria-checked={value}
      aria-label={`Flag ${name}`}
      checked={value}
      onChange={(event) => setFlag(name, event.currentTarget.checked)}
    />
  )
}

/** A flag of this project: `true`, `false`, a text, or a list with commas. */
export function NewFlag() {
  const add = (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const given = new FormData(form)
    void setFlag(String(given.get('name')).trim(), typedValue(String(given.get('value')).trim()))
    form.reset()
  }
  return (
    <form class="new-flag" onSubmit={add}>
      <input name="name" required pattern="[\w\-]+" placeholder="Flag" aria-label="Flag name" />
      <input name="value" required placeholder="true, false or a text" aria-label="Flag value" />
      <button type="submit" class="button">
        Set flag
      </button>
    </form>
  )
}

function typedValue(text: string): Value {
  if (text === 'true' || text === 'false') return text === 'true'
  return text.includes(',') ? text.split(',').map((one) => one.trim()) : text
}
