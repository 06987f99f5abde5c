const WORDS: Readonly<Record<string, string>> = {
  words: 'Its words match',
  meaning: 'Its meaning is close',
  recency: 'How recent it is',
  module: 'In the chosen module',
  access: 'How often it was used',
  chunks: 'Words in the file',
  passages: 'Words close together',
  name: 'Words in the file name',
  path: 'Words in the path',
  compound: 'The name as one word',
  definition: 'Defines a name you typed',
  pasted: 'Contains text you pasted',
  traced: 'Named in a stack trace',
  passage: 'This passage in the file',
  test: 'A test, so lower',
  example: 'An example, so lower',
  documentation: 'Documentation, so lower',
  generated: 'Generated, so lower',
  declaration: 'Only a declaration, so lower',
}

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
            <dt>{WORDS[name] ?? spoken(name)}</dt>
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

function spoken(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
}
