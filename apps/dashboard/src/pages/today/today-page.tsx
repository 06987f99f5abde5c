import { useState } from 'preact/hooks'
import { session, shownPath, useFamily } from '../../live/session.ts'
import { useStore } from '../../live/store.ts'
import { useQuery } from '../../live/use-query.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { Loaded, Waiting } from '../../parts/states.tsx'
import { StillReading } from '../../parts/still-reading.tsx'
import { AskedLately } from './asked-lately.tsx'
import { AtWork } from './at-work.tsx'
import { ConnectAgents } from './connect-agents.tsx'
import { HealthList } from './health-list.tsx'
import { NeedsYou, useOpenTasks } from './needs-you.tsx'
import { RecentDecisions } from './recent-decisions.tsx'
import { SetupCard } from './setup-card.tsx'
import { readToday, startOfDay } from './today-data.ts'
import { useSetup } from './use-setup.ts'

/** What is going on, what needs the person, and what was asked lately. */
export function TodayPage() {
  const known = useStore(session)
  const hasDialogs = useFamily('dialogs')
  const [since] = useState(startOfDay)
  const query = useQuery(hasDialogs ? `today ${since}` : undefined, 'dialogs', (signal) =>
    readToday(since, signal),
  )
  const tasks = useOpenTasks()
  const setup = useSetup(query.value?.dialogs === 0 && query.value.note === undefined)
  const { value: today, error } = query
  // What comes late would push down what is below it.
  const isWaiting = (query.loading && !today && !error) || (tasks.loading && !tasks.value)
  return (
    <>
      <PageHeader
        title="Today"
        lead={known && <span class="path">{shownPath(known.project)}</span>}
      />
      {setup && <SetupCard setup={setup} />}
      {error && <Loaded query={query}>{() => null}</Loaded>}
      {tasks.error && <Loaded query={tasks}>{() => null}</Loaded>}
      {isWaiting ? (
        <Waiting rows={8} />
      ) : (
        <div class="today">
          {today && (
            <div class="today-now">
              <StillReading note={today.note} reload={query.reload} />
              <AtWork working={today.working} />
            </div>
          )}
          <div class="today-needs">
            <NeedsYou needs={today?.needs ?? []} dismissed={today?.dismissed ?? []} tasks={tasks} />
          </div>
          {today && !setup && (
            <div class="today-asked">
              <AskedLately today={today} />
            </div>
          )}
          <div class="today-rest">
            {today && !setup && <ConnectAgents dismissed={today.dismissed} />}
            <RecentDecisions />
            <HealthList />
          </div>
        </div>
      )}
    </>
  )
}
