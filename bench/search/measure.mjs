// The measures of the shared benchmark, kept the same as there.
export function evaluate({ relevant, secondary = [], category }, results) {
  const targets = [...relevant, ...secondary].map((target) =>
    typeof target === 'string' ? { path: target } : target,
  )
  const ranks = targets.map((target) => results.findIndex((result) => hits(result, target)) + 1)
  const found = ranks.filter((rank) => rank > 0)
  return {
    category,
    ranks,
    ndcg: ndcg(found, targets.length),
    recall5: found.filter((rank) => rank <= 5).length / targets.length,
    mrr: found.length > 0 ? 1 / Math.min(...found) : 0,
  }
}

export function summarise(scores) {
  const lines = []
  for (const key of ['repo', 'category'])
    for (const [name, group] of Map.groupBy
      ? Map.groupBy(scores, (score) => score[key])
      : grouped(scores, key))
      lines.push(`${name.padEnd(14)} ${mean(group, 'ndcg')}`)
  const ms = scores.map((score) => score.ms).sort((a, b) => a - b)
  const runs = [...new Map(scores.map((score) => [score.repo, score])).values()]
  const seconds = runs.reduce((sum, run) => sum + run.seconds, 0)
  const chunks = runs.reduce((sum, run) => sum + run.chunks, 0)
  lines.push(
    `index ${seconds.toFixed(2)} s, ${chunks} chunks, ${(chunks / seconds).toFixed(0)} chunks/s; query p50 ${at(ms, 0.5)} ms p95 ${at(ms, 0.95)} ms`,
  )
  lines.push(
    `NDCG@10 ${mean(scores, 'ndcg')} Recall@5 ${mean(scores, 'recall5')} MRR ${mean(scores, 'mrr')} over ${scores.length} queries`,
  )
  return lines.join('\n')
}

function hits(result, target) {
  if (result.source !== 'code') return false
  const same =
    result.file === target.path ||
    result.file.endsWith(`/${target.path}`) ||
    target.path.endsWith(`/${result.file}`)
  return (
    same &&
    (target.start_line == null ||
      !(result.endLine < target.start_line || result.line > target.end_line))
  )
}

function ndcg(ranks, wanted) {
  const gain = (places) => places.reduce((sum, place) => sum + 1 / Math.log2(place + 1), 0)
  return (
    gain([...new Set(ranks)].filter((rank) => rank <= 10)) /
    gain(Array.from({ length: Math.min(10, wanted) }, (_, i) => i + 1))
  )
}

function grouped(items, key) {
  const groups = new Map()
  for (const item of items) groups.set(item[key], [...(groups.get(item[key]) ?? []), item])
  return groups
}

function mean(scores, key) {
  return (scores.reduce((sum, score) => sum + score[key], 0) / scores.length).toFixed(4)
}

function at(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(1)
}
