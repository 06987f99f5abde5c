import type { ToolStats } from '../../core/tool-stats.ts'

/** The text form that Prometheus and its kin read. */
export function prometheusText(stats: readonly ToolStats[]): string {
  const lines = [
    '# HELP secretary_tool_calls_total Calls by tool and outcome.',
    '# TYPE secretary_tool_calls_total counter',
  ]
  for (const { tool, calls, errors, rateLimitHits } of stats) {
    const failed = Object.values(errors).reduce((sum, count) => sum + count, 0)
    lines.push(
      `secretary_tool_calls_total{tool="${tool}",outcome="ok"} ${calls - failed - rateLimitHits}`,
    )
    for (const [kind, count] of Object.entries(errors))
      lines.push(`secretary_tool_calls_total{tool="${tool}",outcome="${kind}"} ${count}`)
    if (rateLimitHits > 0)
      lines.push(
        `secretary_tool_calls_total{tool="${tool}",outcome="rate_limited"} ${rateLimitHits}`,
      )
  }
  lines.push(
    '# HELP secretary_tool_overruns_total Calls that took longer than their maximum.',
    '# TYPE secretary_tool_overruns_total counter',
    ...stats.map(
      ({ tool, overruns }) => `secretary_tool_overruns_total{tool="${tool}"} ${overruns}`,
    ),
  )
  lines.push(
    '# HELP secretary_tool_duration_ms Duration of calls.',
    '# TYPE secretary_tool_duration_ms summary',
  )
  for (const { tool, p50Ms, p95Ms, p99Ms } of stats) {
    for (const [quantile, ms] of [
      ['0.5', p50Ms],
      ['0.95', p95Ms],
      ['0.99', p99Ms],
    ] as const) {
      if (ms !== undefined)
        lines.push(
          `secretary_tool_duration_ms{tool="${tool}",quantile="${quantile}"} ${ms.toFixed(3)}`,
        )
    }
  }
  return `${lines.join('\n')}\n`
}
