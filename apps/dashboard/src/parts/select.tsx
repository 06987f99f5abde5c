interface SelectProps {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, name: string])[]
  readonly onChange: (value: string) => void
}

/** One of a list, among filters that say by their first option what they are. */
export function Select({ label, value, options, onChange }: SelectProps) {
  return (
    <label>
      <span class="visually-hidden">{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
