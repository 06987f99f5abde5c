import { agentName } from '@secretary-mcp/transcripts/source-names.ts'
import { pathTo } from '../../live/router.ts'
import { useQuery } from '../../live/use-query.ts'
import { Empty, Loaded } from '../../parts/states.tsx'
import { StillReading } from '../../parts/still-reading.tsx'
import { When } from '../../parts/when.tsx'
import { AnsweredQuestion } from './answered-question.tsx'
import { folderName, searchRequests } from './dialog-data.ts'
import { useDialogFilter } from './dialog-filters.tsx'

export function RequestSearch({ words }: { readonly words: string }) {
  const { filter, isFiltered } = useDialogFilter()
  const found = useQuery(`requests ${words} ${JSON.stringify(filter)}`, 'dialogs', (signal) =>
    searchRequests(words, filter, signal),
  )
  return (
    <Loaded query={found} rows={6}>
      {({ results, note }) => (
        <>
          <StillReading note={note} reload={found.reload} />
          {results.length === 0 && (
            <Empty title="No matching requests">
              <p>Try other words{isFiltered ? ', or fewer filters' : ''}.</p>
            </Empty>
          )}
          <ol class="hits">
            {results.map(({ sessionId, source, project, index, timestamp, request, answers }) => (
              <li key={`${sessionId} ${index}`}>
                <a
                  class="request-text clamp"
                  href={pathTo(['dialogs'], { session: sessionId, at: index })}
                >
                  {request}
                </a>
                <AnsweredQuestion question={answers} />
                <p class="quiet-line">
                  Request {index}, {agentName(source)}
                  {project && `, ${folderName(project)}`}, <When at={timestamp} />
                </p>
              </li>
            ))}
          </ol>
        </>
      )}
    </Loaded>
  )
}
