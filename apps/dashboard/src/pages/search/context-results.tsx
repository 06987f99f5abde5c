import { useEffect } from 'preact/hooks'
import { pathTo } from '../../live/router.ts'
import { useQuery } from '../../live/use-query.ts'
import { Empty, Loaded } from '../../parts/states.tsx'
import { When } from '../../parts/when.tsx'
import { Factors } from './factors.tsx'
import { FoundText, firstMarkedLine } from './found-text.tsx'
import { type Found, searchContext } from './search-data.ts'

interface ContextResultsProps {
  readonly words: string
  readonly type: string
  readonly source: string
  readonly module: string
}

const SHORTEST = 3
/** An index that is being built tells nobody when it is done; this stays well within the searches of a minute. */
const AGAIN_MS = 4_000
const SOURCES: Readonly<Record<Found['source'], string>> = {
  discovery: 'Discovery',
  session: 'Dialog',
  code: 'Code',
}

export function ContextResults({ words, type, source, module }: ContextResultsProps) {
  const key = words.length < SHORTEST ? undefined : `search ${words} ${type} ${source} ${module}`
  const found = useQuery(key, 'context', (signal) =>
    searchContext(words, { type, source, module }, signal),
  )
  const { value, reload } = found
  useEffect(() => {
    if (!value?.partial) return
    const timer = setTimeout(reload, AGAIN_MS)
    return () => clearTimeout(timer)
  }, [value, reload])
  if (key === undefined) return <p class="quiet-line">Type at least three characters.</p>
  return (
    <Loaded query={found} rows={8}>
      {({ results: shown, searchTime, partial, message }) => {
        return (
          <>
            <p class="quiet-line" role="status">
              {shown.length} {shown.length === 1 ? 'result' : 'results'} in {Math.round(searchTime)}{' '}
              ms
              {partial && '; the index is still being built, so there may be more soon'}
            </p>
            {message && shown.length > 0 && <p class="quiet-line">{message}</p>}
            {shown.length === 0 && (
              <Empty title={message ?? 'No results'}>
                {!message && <p>Try other words, fewer filters, or the exact text.</p>}
              </Empty>
            )}
            <ol class="hits">
              {shown.map((result, place) => (
                <ResultItem key={result.id} result={result} words={words} explained={place === 0} />
              ))}
            </ol>
          </>
        )
      }}
    </Loaded>
  )
}

/** The id of a turn ends with the number of its request. */
function requestOf({ id }: Found): string | undefined {
  return /\/(\d+)$/.exec(id)?.[1]
}

function ResultItem({
  result,
  words,
  explained,
}: {
  readonly result: Found
  readonly words: string
  readonly explained: boolean
}) {
  const { source, type, content, module, date, score, file, line, symbol, session, factors } =
    result
  const request = requestOf(result)
  const at = line === undefined ? undefined : line + firstMarkedLine(content, words)
  return (
    <li class="hit">
      <div class="hit-head">
        <span class="tag">{source === 'discovery' ? `Discovery: ${type}` : SOURCES[source]}</span>
        {file ? (
          <a class="path" href={pathTo(['file'], { path: file, line: at, q: words })}>
            {file}
            {at ? `:${at}` : ''}
          </a>
        ) : null}
        {symbol && <code>{symbol}</code>}
        {session && source === 'session' && (
          <a href={pathTo(['dialogs'], { session, at: request })}>
            {request ? `request ${request}` : 'open it'}
          </a>
        )}
        {module && !file && <span class="quiet-line">{module}</span>}
        <span class="hit-side">
          <When at={date} />, score {score.toFixed(2)}
        </span>
      </div>
      <FoundText
        text={content}
        words={words}
        language={source === 'code' ? (file?.split('.').at(-1) ?? '') : undefined}
      />
      {result.needs_recheck && (
        <p class="warning-line">
          Needs recheck: {result.changedFiles?.join(', ') || 'a file it refers to'} changed since.
        </p>
      )}
      {factors && <Factors factors={factors} open={explained} />}
    </li>
  )
}
