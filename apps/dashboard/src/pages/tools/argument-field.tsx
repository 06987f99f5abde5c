import { useId } from 'preact/hooks'
import { kindOf, textOf } from './form-values.ts'
import type { Schema } from './tool-types.ts'

interface ArgumentFieldProps {
  readonly name: string
  readonly schema: Schema
  readonly required: boolean
  readonly value: string
  readonly onInput: (value: string) => void
}

export function ArgumentField({ name, schema, required, value, onInput }: ArgumentFieldProps) {
  const fallback = schema.default === undefined ? '' : textOf(schema.default)
  const kind = kindOf(schema)
  const id = useId()
  const choices =
    kind === 'boolean'
      ? ['true', 'false']
      : kind === 'choice'
        ? (schema.enum ?? [schema.const]).map(String)
        : undefined
  const onAnyInput = (event: { readonly currentTarget: { readonly value: string } }) =>
    onInput(event.currentTarget.value)
  return (
    <label class="field" htmlFor={id}>
      <span>
        <code>{name}</code>
        {required ? '' : ' (optional)'}
      </span>
      {choices ? (
        <select id={id} value={value} onChange={onAnyInput}>
          <option value="">{fallback ? `${fallback} by default` : 'Not given'}</option>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      ) : kind === 'json' ||
        (kind === 'text' && (schema.maxLength ?? Number.POSITIVE_INFINITY) > 300) ? (
        <textarea
          id={id}
          rows={kind === 'json' ? 3 : 2}
          value={value}
          placeholder={fallback}
          onInput={onAnyInput}
          spellcheck={false}
        />
      ) : (
        <input
          id={id}
          type="text"
          inputMode={kind === 'number' ? 'decimal' : undefined}
          value={value}
          placeholder={fallback}
          onInput={onAnyInput}
          spellcheck={false}
          autocomplete="off"
        />
      )}
      {schema.description && (
        <span class="hint">
          {kind === 'json' ? `${schema.description}, as JSON` : schema.description}
        </span>
      )}
    </label>
  )
}
