import { agentName } from '@secretary-mcp/transcripts/source-names.ts'
import { pathTo } from '../../live/router.ts'
import { usePages } from '../../live/use-pages.ts'
import { AgentMark } from '../../parts/agent-mark.tsx'
import { plainTitle } from '../../parts/shown-text.ts'
import { Empty, Problem, Waiting } from '../../parts/states.tsx'
import { StillReading } from '../../parts/still-reading.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { When } from '../../parts/when.tsx'
import { type Dialog, dialogTitle, folderName, listDialogs } from './dialog-data.ts'
import { useDialogFilter } from './dialog-filters.tsx'

const ROW_HEIGHT = 64
const PAGE = 100
export function DialogList() {
  const { filter, isFiltered } = useDialogFilter()
  const dialogs = usePages<Dialog>(
    `dialogs ${JSON.stringify(filter)}`,
    'dialogs',
    PAGE,
    (offset, limit, signal) => listDialogs(filter, offset, limit, signal),
  )
  return (
    <>
      {dialogs.error && <Problem error={dialogs.error} retry={dialogs.reload} />}
      {dialogs.total === undefined && !dialogs.error && <Waiting rows={6} />}
      <StillReading note={dialogs.note} reload={dialogs.reload} />
      {dialogs.total === 0 && !dialogs.note && <NoDialogs filtered={isFiltered} />}
      {dialogs.total ? (
        <p class="quiet-line" role="status">
          {dialogs.total.toLocaleString()} {dialogs.total === 1 ? 'dialog' : 'dialogs'}, latest
          first
        </p>
      ) : null}
      <VirtualList
        label="Dialogs"
        total={dialogs.total ?? 0}
        rowHeight={ROW_HEIGHT}
        need={dialogs.need}
        row={(index) => <DialogRow dialog={dialogs.item(index)} />}
      />
    </>
  )
}

function DialogRow({ dialog }: { readonly dialog: Dialog | undefined }) {
  if (!dialog) return <div class="row" aria-busy="true" />
  const {
    sessionId,
    title,
    firstRequestPreview,
    source,
    project,
    requestsCount,
    lastSeen,
    archived,
  } = dialog
  return (
    <article class="row">
      <a
        class="row-main row-title row-link"
        data-control="title"
        href={pathTo(['dialogs'], { session: sessionId })}
      >
        <span class="title">
          {plainTitle(dialogTitle({ title, firstRequestPreview })) || sessionId}
        </span>
        <span class="note" title={project}>
          <AgentMark source={source} /> {agentName(source)}
          {project && !project.startsWith('sha256:') && `, ${folderName(project)}`}
          {archived && ', archived'}
        </span>
      </a>
      <span class="row-side">
        <span>
          {requestsCount.toLocaleString()} {requestsCount === 1 ? 'request' : 'requests'}
        </span>
        <When at={lastSeen} />
      </span>
    </article>
  )
}

function NoDialogs({ filtered }: { readonly filtered: boolean }) {
  if (filtered) {
    return (
      <Empty title="No dialogs match these filters">
        <p>
          <a href={pathTo(['dialogs'])}>Show all dialogs</a>
        </p>
      </Empty>
    )
  }
  return (
    <Empty title="No dialogs were found on this machine">
      <p>
        Secretary reads the dialogs of VS Code Copilot Chat, Claude Code, Codex, Gemini CLI, Copilot
        CLI, Cursor, opencode and Cline where these programs keep them.{' '}
        <code>secretary doctor</code> says which of them it found, and where it looked.
      </p>
    </Empty>
  )
}
