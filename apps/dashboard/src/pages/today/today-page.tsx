import { session } from '../../live/session.ts'
import { useStore } from '../../live/store.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { CurrentDialog } from './current-dialog.tsx'
import { HealthList } from './health-list.tsx'
import { OpenTasks } from './open-tasks.tsx'

export function TodayPage() {
  const known = useStore(session)
  return (
    <>
      <PageHeader title="Today" lead={known && <span class="path">{known.project}</span>} />
      <div class="today">
        <div>
          <CurrentDialog />
        </div>
        <div>
          <OpenTasks />
          <HealthList />
        </div>
      </div>
    </>
  )
}
