import { agentName } from '@secretary-mcp/transcripts/source-names.ts'
import { call } from '../../live/api.ts'
import type { AnswerOf } from '../../live/api-types.ts'
import { pathTo } from '../../live/router.ts'
import { useQuery } from '../../live/use-query.ts'
import { milliseconds } from '../tools/milliseconds.ts'

type Figure = AnswerOf<'get /api/v1/figures'>['figures'][number]
type Column = 'name' | 'calls' | 'failed' | 'tokens' | 'ms'

interface FigureTableProps {
  readonly figures: readonly Figure[]
  readonly by: string
  readonly sort: string
  readonly onSort: (sort: string) => void
}

const COLUMNS: readonly (readonly [Column, string])[] = [
  ['calls', 'Calls'],
  ['failed', 'Failed'],
  ['tokens', 'Tokens in answers'],
  ['ms', 'Mean time'],
]

/** Sortable by each column; the address keeps which, with - for the largest first. */
export function FigureTable({ figures, by, sort, onSort }: FigureTableProps) {
  const [column, isDown] = sortIn(sort, by)
  const sorted = figures.toSorted((a, b) => compare(a[column], b[column]) * (isDown ? -1 : 1))
  const most = Math.max(...figures.map(({ calls }) => calls))
  const costs = useDescriptionCosts(by === 'tool')
  const head = (name: Column, words: string) => (
    <th
      scope="col"
      key={name}
      class={name === 'name' ? undefined : 'number'}
      aria-sort={column === name ? (isDown ? 'descending' : 'ascending') : undefined}
    >
      <button
        type="button"
        class="sort"
        onClick={() => onSort(column === name && isDown ? name : `-${name}`)}
      >
        {words}
        <span aria-hidden="true">{column === name ? (isDown ? ' ↓' : ' ↑') : ''}</span>
      </button>
    </th>
  )
  return (
    <div class="table-scroll">
      <table class="table figures-table">
        <thead>
          <tr>
            {head('name', by.charAt(0).toUpperCase() + by.slice(1))}
            {COLUMNS.map(([name, words]) => head(name, words))}
            {by === 'tool' && (
              <th scope="col" class="number">
                Tokens of description
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {sorted.map((figure) => (
            <tr key={figure.name}>
              <th scope="row">
                <Name by={by} name={figure.name} />
                <span class="bar" aria-hidden="true">
                  <span style={{ width: `${(figure.calls / most) * 100}%` }} />
                </span>
              </th>
              <td class="number">{figure.calls.toLocaleString()}</td>
              <td class="number" data-bad={figure.failed > 0}>
                {figure.failed.toLocaleString()}
              </td>
              <td class="number">{figure.tokens.toLocaleString()}</td>
              <td class="number">{milliseconds(figure.ms)}</td>
              {by === 'tool' && (
                <td class="number">{costs.get(figure.name)?.toLocaleString() ?? ''}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Name({ by, name }: { readonly by: string; readonly name: string }) {
  if (by === 'tool') return <a href={pathTo(['tools'], { name })}>{name}</a>
  if (by === 'agent') return <>{name === '' ? 'command line and others' : agentName(name)}</>
  return <span class={by === 'project' ? 'path' : undefined}>{name}</span>
}

function useDescriptionCosts(isWanted: boolean): ReadonlyMap<string, number> {
  const { value } = useQuery(isWanted ? 'tools' : undefined, 'guide', (signal) =>
    call('get /api/v1/tools', { signal }),
  )
  return new Map(value?.tools.map(({ name, tokens }) => [name, tokens.compact]))
}

function sortIn(sort: string, by: string): readonly [Column, boolean] {
  const name = sort.replace(/^-/, '')
  const known = ['name', ...COLUMNS.map(([column]) => column)].includes(name)
  if (known) return [name as Column, sort.startsWith('-')]
  return by === 'day' ? ['name', true] : ['calls', true]
}

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0
}
