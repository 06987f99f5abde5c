import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { pathTo, usePlace } from '../../live/router.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { Pre } from '../../parts/scrollable.tsx'
import { CallPlots } from './call-plots.tsx'
import { Effect } from './effect.tsx'
import { milliseconds } from './milliseconds.ts'
import { ToolTrial } from './tool-trial.tsx'
import type { HourStats, ToolListing, ToolStats } from './tool-types.ts'

interface ToolDetailProps {
  readonly tool: ToolListing
  readonly days: number
  /** Chooses the days. */
  readonly children: ComponentChildren
  readonly stats?: ToolStats
  readonly hours?: readonly HourStats[]
}

export function ToolDetail({ tool, days, stats, hours, children }: ToolDetailProps) {
  const range = usePlace().query.get('range') ?? undefined
  const own = useMemo(
    () => (hours ?? []).filter(({ tool: name }) => name === tool.name),
    [hours, tool.name],
  )
  return (
    <>
      <p class="crumb">
        <a href={pathTo(['tools'], { range })}>Tools</a>
      </p>
      <PageHeader
        title={tool.name}
        lead={
          <>
            <Effect effect={tool.effect} /> {tool.tokens.full} tokens in the full profile,{' '}
            {tool.tokens.compact} in compact
            {tool.limitPerMinute ? `, at most ${tool.limitPerMinute} calls a minute` : ''}
          </>
        }
      >
        {children}
      </PageHeader>
      <div class="split">
        <div>
          <ToolTrial key={tool.name} tool={tool} />
        </div>
        <div>
          <section>
            <h2 class="section-title">Description</h2>
            <Pre wrap>{tool.short}</Pre>
          </section>
          <details>
            <summary>As clients see it in the full profile</summary>
            <Pre wrap>{tool.description}</Pre>
          </details>
          <details>
            <summary>Schema of the arguments</summary>
            <Pre>{JSON.stringify(tool.inputSchema, null, 2)}</Pre>
          </details>
          <details>
            <summary>Schema of the answer</summary>
            <Pre>{JSON.stringify(tool.outputSchema, null, 2)}</Pre>
          </details>
          {stats && <Figures stats={stats} days={days} />}
        </div>
      </div>
      {own.length > 0 && <CallPlots hours={own} sinceDays={days} ofOneTool />}
    </>
  )
}

function Figures({ stats, days }: { readonly stats: ToolStats; readonly days: number }) {
  const errors = Object.entries(stats.errors)
  return (
    <section>
      <h2 class="section-title">{days === 1 ? 'Last day' : `Last ${days} days`}</h2>
      <dl class="figures">
        <Figure name="Calls" value={stats.calls.toLocaleString()} />
        <Figure name="Succeeded" value={`${Math.round(stats.successRate * 100)} %`} />
        <Figure name="p50" value={milliseconds(stats.p50Ms)} />
        <Figure name="p95" value={milliseconds(stats.p95Ms)} />
        <Figure name="p99" value={milliseconds(stats.p99Ms)} />
        <Figure name="Rate limited" value={String(stats.rateLimitHits)} />
        <Figure name="Longer than their maximum" value={String(stats.overruns)} />
        <Figure name="Calls from this page" value={stats.pageCalls.toLocaleString()} />
      </dl>
      {errors.length > 0 && (
        <p class="quiet-line">
          Errors:{' '}
          {errors.map(([kind, count]) => `${kind.replaceAll('_', ' ')} ${count}`).join(', ')}
        </p>
      )}
    </section>
  )
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value || '–'}</dd>
    </div>
  )
}
