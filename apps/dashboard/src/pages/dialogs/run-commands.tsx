import { Pre } from '../../parts/scrollable.tsx'
import type { Work } from './use-work.ts'

/** Commands in order, each with how it ended. */
export function RunCommands({ commands }: Pick<Work, 'commands'>) {
  if (commands.length === 0) return null
  return (
    <ul class="work" aria-label="Commands">
      {commands.map(({ command, exit, tail }, place) => (
        <li key={place}>
          <code class="work-command">{command}</code>{' '}
          <span class="tag" data-effect={exit ? 'destroy' : undefined}>
            {exit === undefined ? 'end not seen' : exit === 0 ? 'succeeded' : `exit ${exit}`}
          </span>
          {tail && exit !== 0 && <Pre wrap>{tail}</Pre>}
        </li>
      ))}
    </ul>
  )
}
