import { useState } from 'preact/hooks'
import { session, shownPath, useFamily } from '../../live/session.ts'
import { useStore } from '../../live/store.ts'
import { useQuery } from '../../live/use-query.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { Loaded } from '../../parts/states.tsx'
import { StillReading } from '../../parts/still-reading.tsx'
import { AskedToday } from './asked-today.tsx'
import { AtWork } from './at-work.tsx'
import { HealthList } from './health-list.tsx'
import { OpenRequests } from './open-requests.tsx'
import { OpenTasks } from './open-tasks.tsx'
import { RecentDecisions } from './recent-decisions.tsx'
import { SetupCard } from './setup-card.tsx'
import { readToday, startOfDay } from './today-data.ts'
import { useSetup } from './use-setup.ts'

export function TodayPage() {
  const known = useStore(session)
  const hasDialogs = useFamily('dialogs')
  const [since] = useState(startOfDay)
  const query = useQuery(hasDialogs ? `today ${since}` : undefined, 'dialogs', (signal) =>
    readToday(since, signal),
  )
  const setup = useSetup(query.value?.dialogs === 0 && query.value.note === undefined)
  return (
    <>
      <PageHeader
        title="Today"
        lead={known && <span class="path">{shownPath(known.project)}</span>}
      />
      {setup && <SetupCard setup={setup} />}
      <div class="today">
        <div>
          {hasDialogs && (
            <Loaded query={query} rows={8}>
              {(today) => (
                <>
                  <StillReading note={today.note} reload={query.reload} />
                  <AtWork working={today.working} />
                  {!setup && <AskedToday today={today} />}
                </>
              )}
            </Loaded>
          )}
        </div>
        {/* What would be pushed down waits for what comes above it on a narrow screen. */}
        {(!hasDialogs || query.value || query.error) && (
          <div>
            {query.value && <OpenRequests requests={query.value.open} />}
            <OpenTasks />
            <RecentDecisions />
            <HealthList />
          </div>
        )}
      </div>
    </>
  )
}
