import { factorWords } from './factor-words.ts'

/** Why a result stands where it does: each factor of its score, as a bar and a number. */
export function Factors({
  factors,
  open,
}: {
  readonly factors: Readonly<Record<string, number>>
  readonly open: boolean
}) {
  const entries = Object.entries(factors).filter(([, value]) => Number.isFinite(value))
  if (entries.length === 0) return null
  const largest = Math.max(1, ...entries.map(([, value]) => Math.abs(value)))
  return (
    <details class="factors" open={open}>
      <summary>Why it ranks here</summary>
      <dl>
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{factorWords(name)}</dt>
            <dd>
              <span class="bar" aria-hidden="true">
                <span style={{ width: `${(Math.abs(value) / largest) * 100}%` }} />
              </span>
              {Number(value.toPrecision(3))}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
