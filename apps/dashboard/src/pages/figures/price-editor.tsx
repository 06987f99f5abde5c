import { useState } from 'preact/hooks'
import { call } from '../../live/api.ts'
import type { AnswerOf } from '../../live/api-types.ts'
import { useQuery } from '../../live/use-query.ts'
import { Loaded } from '../../parts/states.tsx'
import { say } from '../../parts/toasts.tsx'

type Table = AnswerOf<'get /api/v1/prices'>

const AMOUNTS = [
  ['input', 'In'],
  ['cacheRead', 'Cache read'],
  ['cacheWrite', 'Cache write'],
  ['output', 'Out'],
] as const

interface PriceEditorProps {
  /** Those that took tokens. */
  readonly models: readonly string[]
  readonly onSaved: () => void
}

/** What the person pays for a million tokens of each model; it starts empty, because nobody else knows. */
export function PriceEditor({ models, onSaved }: PriceEditorProps) {
  const [isOpen, setOpen] = useState(false)
  const query = useQuery(isOpen ? 'prices' : undefined, undefined, (signal) =>
    call('get /api/v1/prices', { signal }),
  )
  const saved = () => {
    query.reload()
    onSaved()
  }
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Prices</summary>
      <Loaded query={query} rows={2}>
        {(table) => <PriceForm table={table} models={models} onSaved={saved} />}
      </Loaded>
    </details>
  )
}

function PriceForm({ table, models, onSaved }: PriceEditorProps & { readonly table: Table }) {
  const priced = table.prices.map(({ model }) => model)
  const names = [
    ...priced,
    ...models.filter((model) => !priced.some((one) => model.startsWith(one))),
  ]
  const save = async (form: HTMLFormElement) => {
    const given = new FormData(form)
    const amount = (name: string) => Number(given.get(name) || 0)
    const prices = names
      .map((model) => ({
        model,
        input: amount(`${model} input`),
        output: amount(`${model} output`),
        cacheRead: amount(`${model} cacheRead`),
        cacheWrite: amount(`${model} cacheWrite`),
      }))
      .filter(({ input, output, cacheRead, cacheWrite }) => input + output + cacheRead + cacheWrite)
    try {
      const currency = String(given.get('currency') ?? '')
      await call('put /api/v1/prices', { body: { currency, prices } })
      say('Prices saved')
      onSaved()
    } catch (error) {
      say((error as Error).message)
    }
  }
  return (
    <form
      class="stack prices"
      onSubmit={(event) => {
        event.preventDefault()
        void save(event.currentTarget)
      }}
    >
      <p class="hint">
        What you pay for a million tokens. A price also counts for models whose names begin the
        same.
      </p>
      <label class="field price-currency">
        <span>Currency</span>
        <input name="currency" type="text" maxLength={10} defaultValue={table.currency} />
      </label>
      {names.map((model) => (
        <fieldset class="price" key={model}>
          <legend>{model}</legend>
          {AMOUNTS.map(([name, words]) => (
            <label class="field" key={name}>
              <span>{words}</span>
              <input
                name={`${model} ${name}`}
                type="number"
                min={0}
                step="any"
                inputMode="decimal"
                defaultValue={table.prices.find((one) => one.model === model)?.[name] ?? ''}
              />
            </label>
          ))}
        </fieldset>
      ))}
      <p>
        <button type="submit" class="button primary">
          Save prices
        </button>
      </p>
    </form>
  )
}
