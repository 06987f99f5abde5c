import { Pre } from './scrollable.tsx'

const KINDS: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed', '@': 'hunk' }

/** A change as lines that begin with +, - or a space. */
export function DiffText({ text }: { readonly text: string }) {
  return (
    <Pre>
      <code class="diff">
        {text.split('\n').map((line, place) => (
          <span key={place} class={KINDS[line[0] ?? '']}>
            {line}
            {'\n'}
          </span>
        ))}
      </code>
    </Pre>
  )
}
