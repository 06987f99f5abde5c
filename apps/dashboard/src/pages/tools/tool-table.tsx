import { pathTo } from '../../live/router.ts'
import { Effect } from './effect.tsx'
import { milliseconds } from './milliseconds.ts'
import type { ToolListing, ToolStats } from './tool-types.ts'

interface ToolTableProps {
  readonly tools: readonly ToolListing[]
  readonly stats: readonly ToolStats[]
  /** Goes along to the tool's own view. */
  readonly range: string
}

const FIGURES = [
  'Calls',
  'Failed',
  'p50',
  'p95',
  'p99',
  'Limited',
  'Too slow',
  'From this page',
  'Tokens',
]

export function ToolTable({ tools, stats, range }: ToolTableProps) {
  const families = [...new Set(tools.map(({ family }) => family))]
  const byTool = new Map(stats.map((one) => [one.tool, one]))
  return (
    <>
      {families.map((family) => (
        <section key={family}>
          <h2 class="section-title">{family.charAt(0).toUpperCase() + family.slice(1)}</h2>
          <div class="table-scroll">
            <table class="table tools-table">
              <thead>
                <tr>
                  <th scope="col">Tool</th>
                  {FIGURES.map((name) => (
                    <th scope="col" class="number" key={name}>
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {tools
                  .filter((tool) => tool.family === family)
                  .map((tool) => (
                    <Row key={tool.name} tool={tool} stats={byTool.get(tool.name)} range={range} />
                  ))}
              </tbody>
            </table>
          </div>
        </section>
      ))}
    </>
  )
}

interface RowProps {
  readonly tool: ToolListing
  readonly stats?: ToolStats
  readonly range: string
}

function Row({ tool, stats, range }: RowProps) {
  const failed = stats ? Math.round(stats.calls * (1 - stats.successRate)) : 0
  return (
    <tr>
      <th scope="row">
        <a href={pathTo(['tools'], { name: tool.name, range })}>{tool.name}</a>{' '}
        <Effect effect={tool.effect} />
        <span class="note">{tool.short.split('\n')[0]}</span>
      </th>
      <td class="number">{stats?.calls.toLocaleString() ?? ''}</td>
      <td class="number" data-bad={failed > 0}>
        {stats ? failed.toLocaleString() : ''}
      </td>
      <td class="number">{milliseconds(stats?.p50Ms)}</td>
      <td class="number">{milliseconds(stats?.p95Ms)}</td>
      <td class="number">{milliseconds(stats?.p99Ms)}</td>
      <td class="number">{stats?.rateLimitHits || ''}</td>
      <td class="number" data-bad={Boolean(stats?.overruns)}>
        {stats?.overruns || ''}
      </td>
      <td class="number">{stats?.pageCalls || ''}</td>
      <td class="number">
        {tool.tokens.full}
        <span class="note">{tool.tokens.compact} compact</span>
      </td>
    </tr>
  )
}
