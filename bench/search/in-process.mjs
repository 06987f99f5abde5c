// Scores the search engine in process, for tuning: no server between, one store in memory for each repository.
//   node bench/search/in-process.mjs [--data ../shared/bench/search] [--corpora ../corpora] [--only gin,redux] [--verbose]
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { loadEngine } from './load-engine.mjs'
import { evaluate, summarise } from './measure.mjs'

const { values: opt } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/bench/search' },
    corpora: { type: 'string', default: '../corpora' },
    only: { type: 'string' },
    verbose: { type: 'boolean' },
    explain: { type: 'string' },
  },
})
const engineFor = await loadEngine()
const repos = JSON.parse(readFileSync(join(opt.data, 'repos.json'), 'utf8')).filter(
  ({ name }) =>
    existsSync(join(opt.corpora, name)) && (!opt.only || opt.only.split(',').includes(name)),
)
const all = []
for (const { name } of repos) {
  const engine = await engineFor(resolve(opt.corpora, name))
  const { chunks, seconds } = await engine.index()
  for (const annotation of JSON.parse(
    readFileSync(join(opt.data, 'annotations', `${name}.json`), 'utf8'),
  )) {
    if (opt.explain && !annotation.query.includes(opt.explain)) continue
    const started = performance.now()
    // The tool refuses shorter queries.
    const { results } =
      annotation.query.length < 3
        ? { results: [] }
        : await engine.search({ query: annotation.query, limit: 10, explain: true })
    const score = {
      repo: name,
      ms: performance.now() - started,
      seconds,
      chunks,
      ...evaluate(annotation, results),
    }
    all.push(score)
    if (opt.verbose && score.ndcg < 0.99) report(score, annotation, results)
    if (opt.explain)
      for (const { file, line, endLine, score: s, factors } of results)
        print(`  ${s.toFixed(3)} ${file}:${line}-${endLine} ${JSON.stringify(factors)}`)
  }
  await engine.close()
}
print(summarise(all))

function report({ repo, ndcg, ranks }, { query }, results) {
  print(
    `${ndcg.toFixed(2)} ${repo} | ${query} | ranks ${ranks} | got ${results.slice(0, 3).map((r) => `${r.file}:${r.line}`)}`,
  )
}

function print(text) {
  process.stdout.write(`${text}\n`)
}
