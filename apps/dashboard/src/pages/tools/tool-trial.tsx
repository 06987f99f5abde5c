import { useState } from 'preact/hooks'
import { callByName, type ToolAnswer } from '../../live/call-tool.ts'
import { changed } from '../../live/topics.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Modal } from '../../parts/modal.tsx'
import { Pre } from '../../parts/scrollable.tsx'
import { Problem } from '../../parts/states.tsx'
import { ArgumentField } from './argument-field.tsx'
import { argumentsOf, propertiesOf, textOf } from './form-values.ts'
import type { ToolListing } from './tool-types.ts'

interface Outcome {
  readonly answer?: ToolAnswer
  readonly error?: Error
  readonly ms: number
}

const MAX_SHOWN = 200_000

/** A form made from the schema: what it sends is what an agent would send. */
export function ToolTrial({ tool }: { readonly tool: ToolListing }) {
  const properties = propertiesOf(tool.inputSchema)
  const required = new Set(tool.inputSchema.required ?? [])
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [outcome, setOutcome] = useState<Outcome>()
  const [problem, setProblem] = useState<string>()
  const [asking, setAsking] = useState<Record<string, unknown>>()
  const [busy, setBusy] = useState(false)

  const run = async (args: Record<string, unknown>) => {
    setAsking(undefined)
    setBusy(true)
    const start = performance.now()
    try {
      setOutcome({ answer: await callByName(tool.name, args), ms: performance.now() - start })
    } catch (error) {
      setOutcome({ error: error as Error, ms: performance.now() - start })
    }
    setBusy(false)
    if (tool.effect !== 'read') changed('tasks', 'guide', 'context')
    changed('stats')
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (busy) return
    const made = argumentsOf(tool.inputSchema, values)
    setProblem(made.problem)
    if (made.problem !== undefined) return
    if (tool.effect === 'destroy') setAsking(made.args)
    else void run(made.args)
  }
  const use = (args: Readonly<Record<string, unknown>>) =>
    setValues(
      Object.fromEntries(Object.entries(args).map(([name, value]) => [name, textOf(value)])),
    )

  return (
    <section>
      <h2 class="section-title">Try it</h2>
      <form class="stack" onSubmit={submit} noValidate>
        {properties.length === 0 && <p class="quiet-line">It takes no arguments.</p>}
        {properties.map(([name, schema]) => (
          <ArgumentField
            key={name}
            name={name}
            schema={schema}
            required={required.has(name)}
            value={values[name] ?? ''}
            onInput={(value) => setValues({ ...values, [name]: value })}
          />
        ))}
        {problem && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <div class="form-actions">
          <button type="submit" class="button primary" aria-disabled={busy}>
            {busy ? 'Calling' : 'Call'}
          </button>
          {tool.examples.map(({ args, shows }) => (
            <button
              type="button"
              class="button"
              key={shows}
              title={JSON.stringify(args)}
              onClick={() => use(args)}
            >
              Example: {shows}
            </button>
          ))}
        </div>
      </form>
      {outcome && <Answer outcome={outcome} />}
      {asking && (
        <Modal title={`Call ${tool.name}?`} onClose={() => setAsking(undefined)}>
          <p>This call is destructive and cannot be undone. Its arguments:</p>
          <Pre>{JSON.stringify(asking, null, 2)}</Pre>
          <div class="form-actions">
            <button type="button" class="button danger" onClick={() => run(asking)}>
              Call it
            </button>
            <button type="button" class="button" onClick={() => setAsking(undefined)}>
              Cancel
            </button>
          </div>
        </Modal>
      )}
    </section>
  )
}

function Answer({ outcome: { answer, error, ms } }: { readonly outcome: Outcome }) {
  if (error) return <Problem error={error} />
  const text = JSON.stringify(answer?.body, null, 2)
  return (
    <div class="answer" role="status">
      <p class="answer-head">
        <span data-bad={answer?.isError}>{answer?.isError ? 'The tool failed' : 'Done'}</span>
        <span class="quiet-line">{Math.round(ms)} ms</span>
        <CopyButton text={() => text} />
      </p>
      <Pre wrap>
        {text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}\n… copy it to see the rest` : text}
      </Pre>
      {answer?.reminders.map((reminder) => (
        <p class="quiet-line" key={reminder}>
          {reminder}
        </p>
      ))}
    </div>
  )
}
