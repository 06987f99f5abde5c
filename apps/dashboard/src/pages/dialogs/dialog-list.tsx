import { go, pathTo, usePlace } from '../../live/router.ts'
import { usePages } from '../../live/use-pages.ts'
import { useQuery } from '../../live/use-query.ts'
import { Select } from '../../parts/select.tsx'
import { Empty, Problem, Waiting } from '../../parts/states.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { When } from '../../parts/when.tsx'
import {
  agentName,
  type ChosenDialogs,
  type Dialog,
  listDialogs,
  listFacets,
} from './dialog-data.ts'

const ROW_HEIGHT = 64
const PAGE = 100
const HOUR = 3_600_000
const DAY = 24 * HOUR
const TIMES: readonly (readonly [value: string, name: string, days: number])[] = [
  ['', 'Any time', 0],
  ['day', 'Last day', 1],
  ['week', 'Last week', 7],
  ['month', 'Last month', 30],
  ['year', 'Last year', 365],
]

export function DialogList() {
  const { query } = usePlace()
  const chosen = {
    source: query.get('source') ?? '',
    project: query.get('project') ?? '',
    time: query.get('time') ?? '',
  }
  const days = TIMES.find(([value]) => value === chosen.time)?.[2] ?? 0
  const filter: ChosenDialogs = {
    source: chosen.source || undefined,
    project: chosen.project || undefined,
    since: days > 0 ? thisHour() - days * DAY : undefined,
  }
  const dialogs = usePages<Dialog>(
    `dialogs ${JSON.stringify(filter)}`,
    'dialogs',
    PAGE,
    (offset, limit, signal) => listDialogs(filter, offset, limit, signal),
  )
  const filtered = Object.values(chosen).some(Boolean)
  return (
    <>
      <Filters chosen={chosen} />
      {dialogs.error && <Problem error={dialogs.error} retry={dialogs.reload} />}
      {dialogs.total === undefined && !dialogs.error && <Waiting rows={6} />}
      {dialogs.total === 0 && <NoDialogs filtered={filtered} />}
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
  const { sessionId, title, firstRequestPreview, source, project, requestsCount, lastSeen } = dialog
  return (
    <article class="row">
      <a
        class="row-main row-title row-link"
        data-control="title"
        href={pathTo(['dialogs'], { session: sessionId })}
      >
        <span class="title">{title || firstRequestPreview || sessionId}</span>
        <span class="note" title={project}>
          {agentName(source)}
          {project && !project.startsWith('sha256:') && `, ${folderName(project)}`}
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

/** The end of a path tells projects apart; its beginning is the same for most of them. */
function folderName(project: string): string {
  const parts = project.split(/[\\/]/).filter(Boolean)
  return parts.length > 2 ? `…/${parts.slice(-2).join('/')}` : project
}

type Chosen = Readonly<Record<'source' | 'project' | 'time', string>>

function Filters({ chosen }: { readonly chosen: Chosen }) {
  const facets = useQuery('dialog facets', 'dialogs', listFacets).value ?? {
    sources: [],
    projects: [],
  }
  const choose = (name: keyof Chosen) => (value: string) =>
    go(pathTo(['dialogs'], { ...chosen, [name]: value }), { replace: true })
  // What the address names may have no dialog yet.
  const known = (list: readonly string[], value: string) =>
    value && !list.includes(value) ? [value, ...list] : list
  const agents = known(facets.sources, chosen.source).map(
    (source) => [source, agentName(source)] as const,
  )
  const projects = known(facets.projects, chosen.project).map(
    (project) => [project, project] as const,
  )
  return (
    <div class="filters">
      <Select
        label="Agent"
        value={chosen.source}
        options={[['', 'Any agent'], ...agents]}
        onChange={choose('source')}
      />
      <Select
        label="Project"
        value={chosen.project}
        options={[['', 'Any project'], ...projects]}
        onChange={choose('project')}
      />
      <Select
        label="Time"
        value={chosen.time}
        options={TIMES.map(([value, name]) => [value, name])}
        onChange={choose('time')}
      />
    </div>
  )
}

function NoDialogs({ filtered }: { readonly filtered: boolean }) {
  if (filtered) {
    return (
      <Empty title="No dialog fits these filters">
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

/** Whole hours, so that the same question keeps the same name while it is on screen. */
function thisHour(): number {
  return Math.floor(Date.now() / HOUR) * HOUR
}
