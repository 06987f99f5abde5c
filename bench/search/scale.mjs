// Indexes a large tree into a file, then searches it from a fresh process: rate, times and memory, and one changed file.
//   node bench/search/scale.mjs --project DIR --touch FILE-IN-DIR
// Times are given by the clock and in processor time, because the machine may be shared.
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { loadEngine } from './load-engine.mjs'
import { QUERIES } from './scale-queries.mjs'

const ROUNDS = 10
const FIRST_SAVE_MS = 3000

const { values: opt } = parseArgs({
  options: { project: { type: 'string' }, touch: { type: 'string' }, database: { type: 'string' } },
})
const project = resolve(opt.project)
const engineFor = await loadEngine()
if (opt.database) await search(opt.database)
else await index()

async function index() {
  const folder = mkdtempSync(join(tmpdir(), 'search-scale-'))
  const database = join(folder, 'index.db')
  const engine = await engineFor(project, database)
  const { chunks, filesIndexed, seconds } = await engine.index()
  const processor = processorMs() / 1000
  print(
    `${filesIndexed} files, ${chunks} chunks: ${rate(chunks, seconds)} by the clock, ${rate(chunks, processor)} of processor time, RSS ${rss()} MB`,
  )
  await measure(engine, 'search in the process that indexed')
  await engine.close()
  const args = [
    fileURLToPath(import.meta.url),
    '--project',
    project,
    '--database',
    database,
    ...(opt.touch ? ['--touch', opt.touch] : []),
  ]
  spawnSync(process.execPath, args, { stdio: 'inherit' })
  rmSync(folder, { recursive: true })
}

async function search(database) {
  const engine = await engineFor(project, database)
  const first = performance.now()
  await engine.search({ query: 'first' })
  print(`first search ${(performance.now() - first).toFixed(0)} ms`)
  await measure(engine, 'search in a fresh process')
  if (opt.touch) await change(engine, join(project, opt.touch))
  await engine.close()
}

async function measure(engine, what) {
  const times = []
  const before = processorMs()
  for (let round = 0; round < ROUNDS; round++) {
    for (const query of QUERIES) {
      const started = performance.now()
      await engine.search({ query, limit: 10 })
      times.push(performance.now() - started)
    }
  }
  const processor = (processorMs() - before) / times.length
  times.sort((a, b) => a - b)
  print(
    `${what} p50 ${at(times, 0.5)} ms p95 ${at(times, 0.95)} ms, processor ${processor.toFixed(1)} ms each, RSS ${rss()} MB`,
  )
}

/** What a watcher does when one file was saved. */
async function change(engine, path) {
  const before = readFileSync(path)
  const done = new Promise((resolved) => {
    engine.watch({ onIndexed: resolved }).then(async (watcher) => {
      // Nobody saves a file in the moment the server begins to watch; until then the parser is being loaded.
      await new Promise((later) => setTimeout(later, FIRST_SAVE_MS))
      appendFileSync(path, `\n// changed ${Date.now()}\n`)
      setTimeout(() => watcher.close(), 5000).unref()
    })
  })
  const { seconds, filesIndexed } = await done
  writeFileSync(path, before)
  print(
    `first changed file after a start: ${(seconds * 1000).toFixed(0)} ms (${filesIndexed} indexed)`,
  )
}

function processorMs() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function rate(chunks, seconds) {
  return `${seconds.toFixed(1)} s (${(chunks / seconds).toFixed(0)} chunks/s)`
}

function at(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(1)
}

function rss() {
  return (process.memoryUsage().rss / 1e6).toFixed(0)
}

function print(text) {
  process.stdout.write(`${text}\n`)
}
