import type { ToolStats } from '@secretary-mcp/core/tool-stats.ts'

/** What one server has counted; without a name where there is only one. */
export interface Counted {
  readonly replica?: string
  readonly stats: readonly ToolStats[]
}

const QUANTILES = [
  ['0.5', 'p50Ms'],
  ['0.95', 'p95Ms'],
  ['0.99', 'p99Ms'],
] as const

/** The text form that Prometheus and its kin read. */
export function prometheusText(counted: readonly Counted[]): string {
  const rows = counted.flatMap(({ replica, stats }) => {
    const by = replica === undefined ? '' : `replica=${JSON.stringify(replica)},`
    return stats.map((row) => ({ ...row, labels: `${by}tool="${row.tool}"` }))
  })
  return [
    '# HELP secretary_tool_calls_total Calls by tool and outcome.',
    '# TYPE secretary_tool_calls_total counter',
    ...rows.flatMap((row) =>
      outcomes(row).map(
        ([outcome, count]) =>
          `secretary_tool_calls_total{${row.labels},outcome="${outcome}"} ${count}`,
      ),
    ),
    '# HELP secretary_tool_overruns_total Calls that took longer than their maximum.',
    '# TYPE secretary_tool_overruns_total counter',
    ...rows.map(({ labels, overruns }) => `secretary_tool_overruns_total{${labels}} ${overruns}`),
    '# HELP secretary_tool_duration_ms Duration of calls.',
    '# TYPE secretary_tool_duration_ms summary',
    ...rows.flatMap((row) =>
      QUANTILES.flatMap(([quantile, key]) => {
        const ms = row[key]
        if (ms === undefined) return []
        return `secretary_tool_duration_ms{${row.labels},quantile="${quantile}"} ${ms.toFixed(3)}`
      }),
    ),
    '',
  ].join('\n')
}

function outcomes({ calls, errors, rateLimitHits }: ToolStats): [string, number][] {
  const failed = Object.values(errors).reduce((sum, count) => sum + count, 0)
  return [
    ['ok', calls - failed - rateLimitHits],
    ...Object.entries(errors),
    ...(rateLimitHits > 0 ? [['rate_limited', rateLimitHits] as [string, number]] : []),
  ]
}
