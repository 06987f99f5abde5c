import type { FlagValue as Value } from '@secretary-mcp/secretary/guide/flag-value.ts'
import { useRef, useState } from 'preact/hooks'
import { call } from '../../live/api.ts'
import { changed } from '../../live/topics.ts'
import { ChangedMeanwhile, foundMeanwhile } from '../../parts/changed-meanwhile.tsx'
import { say } from '../../parts/toasts.tsx'

/** For this project, as the person saw it; null is a flag that is not set. */
interface Change {
  readonly before: Value | null
  readonly value: Value | null
}

async function putFlag(name: string, change: Change): Promise<void> {
  try {
    await call('put /api/v1/guide/flags/{name}', { params: { name }, body: change })
  } finally {
    changed('guide')
  }
}

/** False where it was refused, and the reason is said. */
export async function setFlag(name: string, change: Change): Promise<boolean> {
  try {
    await putFlag(name, change)
    return true
  } catch (error) {
    say((error as Error).message)
    return false
  }
}

interface FlagProps {
  readonly name: string
  readonly value: Value
}

/** A flag that is true or false is a switch; anything else is shown as it is. */
export function FlagValue({ name, value }: FlagProps) {
  if (typeof value !== 'boolean') return <code class="wrap">{JSON.stringify(value)}</code>
  const turn = async (input: HTMLInputElement) => {
    const isSet = await setFlag(name, { before: value, value: input.checked })
    if (!isSet) input.checked = value
  }
  return (
    <input
      type="checkbox"
      role="switch"
      aria-checked={value}
      aria-label={`Flag ${name}`}
      checked={value}
      onChange={(event) => turn(event.currentTarget)}
    />
  )
}

interface NewFlagProps {
  /** What is set, as the person sees it. */
  readonly flags: Readonly<Record<string, Value>>
}

/** A flag of this project: `true`, `false`, a text, or a list with commas. */
export function NewFlag({ flags }: NewFlagProps) {
  const form = useRef<HTMLFormElement>(null)
  const [theirs, setTheirs] = useState<Value | null>()
  const set = async (seen?: Value | null) => {
    if (!form.current) return
    const given = new FormData(form.current)
    const name = String(given.get('name')).trim()
    const before = seen !== undefined ? seen : Object.hasOwn(flags, name) ? flags[name] : null
    const value = typedValue(String(given.get('value')).trim())
    try {
      await putFlag(name, { before: before ?? null, value })
      form.current.reset()
      setTheirs(undefined)
    } catch (error) {
      const found = foundMeanwhile<{ value: Value | null }>(error)
      setTheirs(found?.value)
      if (!found) say((error as Error).message)
    }
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    void set()
  }
  const takeTheirs = () => {
    form.current?.reset()
    setTheirs(undefined)
  }
  return (
    <>
      <form ref={form} class="new-flag" onSubmit={submit}>
        <input name="name" required pattern="[\w\-]+" placeholder="Flag" aria-label="Flag name" />
        <input name="value" required placeholder="true, false or a text" aria-label="Flag value" />
        <button type="submit" class="button">
          Set flag
        </button>
      </form>
      {theirs !== undefined && (
        <ChangedMeanwhile onMine={() => void set(theirs)} onTheirs={takeTheirs}>
          <p>
            {theirs === null ? (
              'The flag is no longer set.'
            ) : (
              <>
                The flag is now <code class="wrap">{JSON.stringify(theirs)}</code>.
              </>
            )}
          </p>
        </ChangedMeanwhile>
      )}
    </>
  )
}

function typedValue(text: string): Value {
  if (text === 'true' || text === 'false') return text === 'true'
  return text.includes(',') ? text.split(',').map((one) => one.trim()) : text
}
