// What each signal is worth: NDCG@10 with it switched off, one at a time, and under random weights.
//   node bench/search/ablation.mjs [--data ../shared/bench/search] [--corpora ../corpora] [--random 60]
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { loadEngine } from './load-engine.mjs'
import { evaluate } from './measure.mjs'

const { values: opt } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/bench/search' },
    corpora: { type: 'string', default: '../corpora' },
    random: { type: 'string', default: '0' },
  },
})
const engineFor = await loadEngine()
const repositories = []
for (const { name } of JSON.parse(readFileSync(join(opt.data, 'repos.json'), 'utf8'))) {
  if (!existsSync(join(opt.corpora, name))) continue
  const engine = await engineFor(resolve(opt.corpora, name))
  await engine.index()
  repositories.push({
    name,
    engine,
    annotations: JSON.parse(readFileSync(join(opt.data, 'annotations', `${name}.json`), 'utf8')),
  })
}

const whole = await score()
print(`all signals    ${total(whole).toFixed(4)}`)
for (const [table, weights] of Object.entries(engineFor.weights)) {
  for (const [signal, weight] of Object.entries(weights)) {
    weights[signal] = 0
    print(
      `${table} without ${signal.padEnd(14)} ${((total(await score()) - total(whole)) * 100).toFixed(2)} points`,
    )
    weights[signal] = weight
  }
}
if (Number(opt.random) > 0) await randomWeights(Number(opt.random))
for (const { engine } of repositories) await engine.close()

/** Every weight times a random factor between a half and two; then, for each repository, the setting that is best on the others. */
async function randomWeights(count) {
  const original = structuredClone(engineFor.weights)
  const next = generator(3)
  const runs = []
  for (let i = 0; i < count; i++) {
    for (const [table, weights] of Object.entries(original))
      for (const [signal, weight] of Object.entries(weights))
        engineFor.weights[table][signal] = weight * 2 ** (next() * 2 - 1)
    runs.push(await score())
  }
  const mean = runs.reduce((sum, run) => sum + total(run), 0) / count
  const chosen = new Map(
    repositories.map(({ name }) => [
      name,
      runs.reduce((best, run) => (total(run, name) > total(best, name) ? run : best)).get(name),
    ]),
  )
  print(
    `random weights: mean ${mean.toFixed(4)}, best on nine and judged on the tenth ${total(chosen).toFixed(4)}`,
  )
}

async function score() {
  const scores = new Map()
  for (const { name, engine, annotations } of repositories) {
    const values = []
    for (const annotation of annotations) {
      const { results } =
        annotation.query.length < 3
          ? { results: [] }
          : await engine.search({ query: annotation.query, limit: 10 })
      values.push(evaluate(annotation, results).ndcg)
    }
    scores.set(name, values)
  }
  return scores
}

function total(scores, except) {
  const values = [...scores].filter(([name]) => name !== except).flatMap(([, list]) => list)
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function generator(seed) {
  let state = seed
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648
    return state / 2147483648
  }
}

function print(text) {
  process.stdout.write(`${text}\n`)
}
