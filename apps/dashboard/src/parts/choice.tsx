import { useId } from 'preact/hooks'

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, name: string])[]
  readonly onChoose: (value: string) => void
}

/** One of a few, side by side: radio buttons, so that arrow keys and screen readers know what it is. */
export function Choice({ label, value, options, onChoose }: ChoiceProps) {
  const group = useId()
  return (
    <fieldset class="choice">
      <legend class="visually-hidden">{label}</legend>
      {options.map(([option, name]) => (
        <label key={option}>
          <input
            type="radio"
            name={group}
            value={option}
            checked={value === option}
            onChange={() => onChoose(option)}
          />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  )
}
