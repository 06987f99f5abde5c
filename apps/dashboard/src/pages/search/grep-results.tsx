import { pathTo } from '../../live/router.ts'
import { useQuery } from '../../live/use-query.ts'
import { Pre } from '../../parts/scrollable.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { grep, type Match } from './search-data.ts'

interface GrepResultsProps {
  readonly text: string
  readonly isRegex: boolean
  readonly files: string
}

export function GrepResults(wanted: GrepResultsProps) {
  const found = useQuery(`grep ${JSON.stringify(wanted)}`, 'context', (signal) =>
    grep(wanted, signal),
  )
  return (
    <Loaded query={found} rows={8}>
      {({ matches, totalMatches, truncated, filesSearched, searchTime, message }) => (
        <>
          <p class="quiet-line" role="status">
            {truncated
              ? `More than ${(totalMatches - 1).toLocaleString()}`
              : totalMatches.toLocaleString()}{' '}
            {totalMatches === 1 ? 'match' : 'matches'}
            {filesSearched ? ` in ${filesSearched.toLocaleString()} files` : ''}
            {searchTime ? `, ${Math.round(searchTime)} ms` : ''}
            {matches.length < totalMatches ? `; the first ${matches.length} are shown` : ''}
          </p>
          {matches.length === 0 && <Empty title={message ?? 'No line matches'} />}
          <ol class="hits">
            {matches.map((match) => (
              <MatchItem
                key={`${match.file}:${match.line}:${match.column}`}
                match={match}
                words={wanted.isRegex ? '' : wanted.text}
              />
            ))}
          </ol>
        </>
      )}
    </Loaded>
  )
}

function MatchItem({ match, words }: { readonly match: Match; readonly words: string }) {
  const { file, line, text, context } = match
  return (
    <li class="hit">
      <a class="path" href={pathTo(['file'], { path: file, line, q: words })}>
        {file}:{line}
      </a>
      <Pre>
        {context.before.map((before) => `${before}\n`)}
        <mark>{text}</mark>
        {context.after.map((after) => `\n${after}`)}
      </Pre>
    </li>
  )
}
