import { call } from '../../live/api.ts'
import { go, pathTo, usePlace } from '../../live/router.ts'
import { useQuery } from '../../live/use-query.ts'
import { Choice } from '../../parts/choice.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Loaded } from '../../parts/states.tsx'
import { CallPlots } from './call-plots.tsx'
import { ToolDetail } from './tool-detail.tsx'
import { ToolTable } from './tool-table.tsx'
import type { ToolListing } from './tool-types.ts'

const DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30 }

export function ToolsPage() {
  const { query } = usePlace()
  const chosen = query.get('name')
  const span = query.get('range') ?? 'day'
  const days = DAYS[span] ?? 1
  const catalogue = useQuery('tools', 'guide', (signal) => call('get /api/v1/tools', { signal }))
  const stats = useQuery(`stats ${span}`, 'stats', (signal) =>
    call('get /api/v1/stats', { query: { since: hourAgo(days) }, signal }),
  )
  return (
    <Loaded query={catalogue} rows={8}>
      {({ tools }) => {
        const tool = tools.find(({ name }) => name === chosen)
        if (tool)
          return (
            <ToolDetail
              tool={tool}
              days={days}
              stats={stats.value?.tools.find((one) => one.tool === tool.name)}
              hours={stats.value?.hours}
            >
              <RangeChoice span={span} name={tool.name} />
            </ToolDetail>
          )
        return (
          <>
            <p class="crumb">
              <a href={pathTo(['usage'])}>Usage</a>
            </p>
            <PageHeader title="Tools" lead={<CatalogueCost tools={tools} />}>
              <RangeChoice span={span} />
            </PageHeader>
            <CallPlots hours={stats.value?.hours ?? []} sinceDays={days} />
            <ToolTable tools={tools} stats={stats.value?.tools ?? []} range={span} />
          </>
        )
      }}
    </Loaded>
  )
}

function RangeChoice({ span, name }: { readonly span: string; readonly name?: string }) {
  return (
    <Choice
      label="Time shown"
      value={span}
      options={[
        ['day', 'Day'],
        ['week', 'Week'],
        ['month', 'Month'],
      ]}
      onChoose={(range) => go(pathTo(['tools'], { name, range }), { replace: true })}
    />
  )
}

function CatalogueCost({ tools }: { readonly tools: readonly ToolListing[] }) {
  const sum = (profile: 'full' | 'compact') =>
    tools.reduce((total, { tokens }) => total + (tokens[profile] ?? 0), 0)
  return (
    <>
      {tools.length} tools cost a client <strong>{sum('full').toLocaleString()}</strong> tokens in
      the full profile, <strong>{sum('compact').toLocaleString()}</strong> in compact
    </>
  )
}

function hourAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 13)
}
