import { agentName } from '@secretary-mcp/transcripts/source-names.ts'
import { go, pathTo, usePlace } from '../../live/router.ts'
import { useQuery } from '../../live/use-query.ts'
import { Select } from '../../parts/select.tsx'
import { type ChosenDialogs, listFacets } from './dialog-data.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const TIMES: readonly (readonly [value: string, name: string, days: number])[] = [
  ['', 'Any time', 0],
  ['day', 'Last day', 1],
  ['week', 'Last week', 7],
  ['month', 'Last month', 30],
  ['year', 'Last year', 365],
]

type Chosen = Readonly<Record<'source' | 'project' | 'time', string>>

/** What the address chooses, for the list and the search alike. */
export function useDialogFilter() {
  const { query } = usePlace()
  const chosen: Chosen = {
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
  return { chosen, filter, isFiltered: Object.values(chosen).some(Boolean) }
}

export function DialogFilters({ words }: { readonly words: string }) {
  const { chosen } = useDialogFilter()
  const facets = useQuery('dialog facets', 'dialogs', listFacets).value ?? {
    sources: [],
    projects: [],
  }
  const choose = (name: keyof Chosen) => (value: string) =>
    go(pathTo(['dialogs'], { ...chosen, [name]: value, q: words }), { replace: true })
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

/** Whole hours, so that the same question keeps the same name while it is on screen. */
function thisHour(): number {
  return Math.floor(Date.now() / HOUR) * HOUR
}
