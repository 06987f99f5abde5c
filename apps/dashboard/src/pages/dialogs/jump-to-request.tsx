import { plainTitle, shownBeginning } from '../../parts/shown-text.ts'
import type { RequestText } from './dialog-data.ts'

interface JumpProps {
  readonly requests: readonly RequestText[]
  readonly total: number
  readonly at?: number
  readonly onJump: (index: number) => void
}

const MAX_LENGTH = 60

/** By its words among those on screen, or by its number among all. */
export function JumpToRequest({ requests, total, at, onJump }: JumpProps) {
  return (
    <div class="jump">
      <label>
        <span class="visually-hidden">Jump to a request</span>
        <select
          value={at ?? ''}
          onChange={({ currentTarget }) =>
            currentTarget.value && onJump(Number(currentTarget.value))
          }
        >
          <option value="">Jump to a request…</option>
          {requests.map(({ index, title }) => (
            <option key={index} value={index}>
              {index}. {shownBeginning(plainTitle(title), MAX_LENGTH)}
            </option>
          ))}
        </select>
      </label>
      {total > requests.length && <ByNumber total={total} onJump={onJump} />}
    </div>
  )
}

function ByNumber({ total, onJump }: Pick<JumpProps, 'total' | 'onJump'>) {
  return (
    <form
      class="jump"
      onSubmit={(event) => {
        event.preventDefault()
        const index = Number(new FormData(event.currentTarget).get('index'))
        if (index >= 1 && index <= total) onJump(Math.floor(index))
      }}
    >
      <label>
        <span>Go to request</span> <input name="index" type="number" min={1} max={total} required />
      </label>
      <button type="submit" class="button">
        Go
      </button>
    </form>
  )
}
