import { useMemo, useState } from 'preact/hooks'
import { call } from '../../live/api.ts'
import { useFamily } from '../../live/session.ts'
import { useQuery } from '../../live/use-query.ts'

/** One call tells of this many lines. */
const BLOCK_LINES = 400

export interface Behind {
  readonly sessionId: string
  readonly index: number
  readonly request: string
}

interface Shown {
  readonly path: string
  readonly first: number
  readonly total: number
}

/** The requests behind the lines on screen, at the line where each run of them begins. */
export function useWhy({ path, first, total }: Shown): {
  readonly begins: ReadonlyMap<number, Behind>
  readonly note: string | undefined
  need(from: number, to: number): void
  reload(): void
} {
  const on = useFamily('dialogs')
  const [block, setBlock] = useState(0)
  const line = first + block * BLOCK_LINES
  const endLine = Math.min(line + BLOCK_LINES, first + total) - 1
  const key = on && path && endLine >= line ? `why ${path} ${line} ${endLine}` : undefined
  const found = useQuery(key, 'dialogs', (signal) =>
    call('get /api/v1/dialogs/why', { query: { file: path, line, endLine }, signal }),
  )
  const begins = useMemo(
    () =>
      new Map(
        (found.value?.requests ?? []).flatMap(({ lines, ...behind }) =>
          lines.map(([from = 0]) => [from, behind] as const),
        ),
      ),
    [found.value],
  )
  const need = (from: number, to: number) => setBlock(Math.floor((from + to) / 2 / BLOCK_LINES))
  return { begins, note: found.value?.note, need, reload: found.reload }
}
