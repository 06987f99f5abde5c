import { useEffect, useRef, useState } from 'preact/hooks'
import { useQuery } from '../../live/use-query.ts'
import { Problem } from '../../parts/states.tsx'
import { shownTokens } from '../../parts/tokens.ts'
import type { RequestLink } from '../tasks/request-links.ts'
import {
  type Answer,
  type DialogTokens,
  type RequestText,
  readAnswers,
  type Thread,
} from './dialog-data.ts'
import { RequestItem } from './request-item.tsx'
import type { DeedsOfRequests } from './use-ledger.ts'

interface ThreadPartProps {
  readonly session: string
  readonly revision: Thread['revision']
  readonly requests: readonly RequestText[]
  readonly marked?: number
  readonly deedsOf: DeedsOfRequests
  readonly isHere: boolean
  readonly tasks: readonly RequestLink[]
  readonly tokens: DialogTokens | undefined
  /** The answers around the marked request have come, and moved it. */
  readonly onAnswers: () => void
}

/** A few requests of a thread, whose answers are asked for together once one of them comes near the screen. */
export function ThreadPart({
  session,
  revision,
  requests,
  marked,
  deedsOf,
  isHere,
  tasks,
  tokens,
  onAnswers,
}: ThreadPartProps) {
  const [near, setNear] = useState(false)
  const first = requests[0]?.index ?? 1
  const { value, error, reload } = useQuery(
    near ? `answers ${session} ${first} ${requests.length} ${revision}` : undefined,
    undefined,
    (signal) => readAnswers(session, first - 1, requests.length, signal),
  )
  // What was there before stays until the newer ones have come.
  const last = useRef<readonly Answer[]>()
  last.current = value ?? last.current
  const answers = last.current
  const moved = answers !== undefined && requests.some(({ index }) => index === marked)
  const tell = useRef(onAnswers)
  tell.current = onAnswers
  useEffect(() => {
    if (moved) tell.current()
  }, [moved])
  return (
    <>
      {requests.map((request) => (
        <RequestItem
          key={request.index}
          session={session}
          request={request}
          answer={
            answers ? (answers.find(({ index }) => index === request.index) ?? null) : undefined
          }
          deeds={deedsOf(request.index)}
          isHere={isHere}
          marked={request.index === marked}
          tasks={tasks.filter((task) => task.request_index === request.index)}
          tokens={tokensOf(request.index, tokens)}
          onNear={() => setNear(true)}
        />
      ))}
      {error && (
        <li class="thread-problem">
          <Problem error={error} retry={reload} />
        </li>
      )}
    </>
  )
}

function tokensOf(index: number, tokens: DialogTokens | undefined): string | undefined {
  const own = tokens?.requests.find((one) => one.index === index)
  return own && tokens && shownTokens(own, tokens.currency)
}
