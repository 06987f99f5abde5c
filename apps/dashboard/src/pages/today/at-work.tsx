import { pathTo } from '../../live/router.ts'
import { session } from '../../live/session.ts'
import { useStore } from '../../live/store.ts'
import { AgentMark } from '../../parts/agent-mark.tsx'
import { plainTitle } from '../../parts/shown-text.ts'
import { When } from '../../parts/when.tsx'
import { dialogTitle, folderName } from '../dialogs/dialog-data.ts'
import { FilePath } from '../dialogs/file-path.tsx'
import type { Today } from './today-data.ts'

type Working = Today['working'][number]

/** What agents are doing right now, each with its last file and command. */
export function AtWork({ working }: Pick<Today, 'working'>) {
  return (
    <section>
      <h2 class="section-title">Right now</h2>
      {working.length === 0 ? (
        <p class="quiet-line at-work-none">No agent is at work.</p>
      ) : (
        <ul class="at-work">
          {working.map((one) => (
            <Agent key={one.sessionId} working={one} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Agent({ working }: { readonly working: Working }) {
  const { sessionId, source, project, at, file, command, exit } = working
  const isHere = useStore(session)?.project === project
  return (
    <li>
      <p class="at-work-head">
        <AgentMark source={source} />
        <a href={pathTo(['dialogs'], { session: sessionId })}>
          {plainTitle(dialogTitle(working)) || sessionId}
        </a>
        <When at={at} />
      </p>
      {project && !isHere && <p class="quiet-line path">{folderName(project)}</p>}
      {file && (
        <p class="at-work-line">
          <FilePath path={file} isHere={isHere} />
        </p>
      )}
      {command && (
        <p class="at-work-line">
          <code>{command}</code> <span class="quiet-line">{endOf(exit)}</span>
        </p>
      )}
    </li>
  )
}

function endOf(exit: number | undefined): string {
  if (exit === undefined) return 'not finished'
  return exit === 0 ? 'succeeded' : `failed with ${exit}`
}
