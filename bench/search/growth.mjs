// How search grows with the project: the same queries over more and more of a large tree, each time from a fresh process.
//   node bench/search/growth.mjs --project DIR [--sizes 1000,10000,100000,300000,1000000]
//   node bench/search/growth.mjs --project DIR --database FILE     an index that is there already
//   node bench/search/growth.mjs --project DIR --sizes 300000 --interrupt     each run is stopped half-way, and resumed by a new engine
// The index grows with the tree: files are linked into it, and only what is new is indexed.
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { loadEngine } from './load-engine.mjs'
import { QUERIES } from './scale-queries.mjs'

const ROUNDS = 10
const BYTES_OF_A_CHUNK = 800
const CHANGES = 6

const { values: opt } = parseArgs({
  options: {
    project: { type: 'string' },
    sizes: { type: 'string', default: '1000,10000,100000,300000,1000000' },
    database: { type: 'string' },
    interrupt: { type: 'boolean', default: false },
  },
})
const engineFor = await loadEngine()
if (opt.database) await measure(resolve(opt.project), opt.database)
else await grow(resolve(opt.project), opt.sizes.split(',').map(Number))

async function grow(from, sizes) {
  const folder = mkdtempSync(join(tmpdir(), 'search-growth-'))
  const tree = join(folder, 'tree')
  const database = join(folder, 'index.db')
  const files = shuffled(filesIn(from))
  let chunks = 0
  let bytes = 0
  for (const size of sizes) {
    let wanted = (size - chunks) * (chunks > 0 ? bytes / chunks : BYTES_OF_A_CHUNK)
    while (wanted > 0 && files.length > 0) {
      const path = files.pop()
      mkdirSync(join(tree, dirname(path)), { recursive: true })
      linkSync(join(from, path), join(tree, path))
      const taken = statSync(join(from, path)).size
      wanted -= taken
      bytes += taken
    }
    if (opt.interrupt) await stopHalfWay(tree, database)
    const engine = await engineFor(tree, database)
    const { seconds, chunks: added, filesIndexed, filesUnchanged } = await engine.index()
    if (opt.interrupt) print(`resumed: ${filesUnchanged} files kept, ${filesIndexed} indexed`)
    chunks = (await engine.status()).chunks
    await engine.close()
    print(`${chunks} chunks: ${added} indexed in ${seconds.toFixed(1)} s, most memory ${peak()} MB`)
    const args = [fileURLToPath(import.meta.url), '--project', tree, '--database', database]
    spawnSync(process.execPath, args, { stdio: 'inherit' })
  }
  rmSync(folder, { recursive: true })
}

async function stopHalfWay(tree, database) {
  const stop = new AbortController()
  const engine = await engineFor(tree, database)
  const onProgress = ({ filesDone, filesTotal }) => {
    if (filesDone > filesTotal / 2) stop.abort()
  }
  const ended = await engine.index({ signal: stop.signal, onProgress }).then(
    () => 'not stopped in time',
    () => 'stopped half-way',
  )
  const { files, chunks } = await engine.status()
  await engine.close()
  print(`${ended}: ${files} files and ${chunks} chunks are kept`)
}

async function measure(project, database) {
  const engine = await engineFor(project, database)
  const first = await timed(() => engine.search({ query: 'first' }))
  const times = []
  const processor = processorMs()
  for (let round = 0; round < ROUNDS; round++)
    for (const query of QUERIES) {
      const started = performance.now()
      await engine.search({ query, limit: 10 })
      times.push(performance.now() - started)
    }
  const each = (processorMs() - processor) / times.length
  times.sort((a, b) => a - b)
  const rss = (process.memoryUsage().rss / 1e6).toFixed(0)
  print(
    `  search p50 ${at(times, 0.5)} ms p95 ${at(times, 0.95)} ms, least ${at(times, 0)} ms, processor ${each.toFixed(1)} ms; first ${first}; RSS ${rss} MB; load ${loadavg()[0].toFixed(1)}`,
  )
  const { changes, afterwards } = await change(engine, project)
  print(`  one changed file p50 ${at(changes, 0.5)} ms, least ${at(changes, 0)} ms`)
  print(`  the search after it ${afterwards}`)
  await engine.close()
}

/** What a watcher does when one file was saved, after all that came before is done. */
async function change(engine, project) {
  await engine.index()
  let told = () => {}
  const watcher = await engine.watch({ onIndexed: (summary) => told(summary) })
  const path = join(
    project,
    filesIn(project).find((name) => /\.(go|py|ts|java)$/.test(name)),
  )
  const content = readFileSync(path)
  const times = []
  for (let nth = 0; nth < CHANGES; nth++) {
    const done = new Promise((resolved) => {
      told = resolved
    })
    // Its own copy: the file may be linked.
    rmSync(path)
    writeFileSync(path, content)
    appendFileSync(path, `\n// changed ${nth}\n`)
    const { seconds, filesUnchanged } = await done
    // The first may be found by the look at the whole tree that watching begins with.
    if (filesUnchanged === 0) times.push(seconds * 1000)
  }
  const afterwards = await timed(() => engine.search({ query: 'parse command line flags' }))
  await watcher.close()
  writeFileSync(path, content)
  return { changes: times.sort((a, b) => a - b), afterwards }
}

async function timed(work) {
  const started = performance.now()
  const processor = processorMs()
  await work()
  return `${(performance.now() - started).toFixed(0)} ms, processor ${(processorMs() - processor).toFixed(0)} ms`
}

function filesIn(root, under = '') {
  return readdirSync(join(root, under), { withFileTypes: true }).flatMap((entry) => {
    const path = under ? `${under}/${entry.name}` : entry.name
    return entry.isDirectory() ? filesIn(root, path) : entry.isFile() ? [path] : []
  })
}

function shuffled(list) {
  let state = 7
  for (let at = list.length - 1; at > 0; at--) {
    state = (state * 1103515245 + 12345) % 2147483648
    const other = state % (at + 1)
    ;[list[at], list[other]] = [list[other], list[at]]
  }
  return list
}

function processorMs() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function peak() {
  return (process.resourceUsage().maxRSS / 1000).toFixed(0)
}

function at(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(1)
}

function print(text) {
  process.stdout.write(`${text}\n`)
}
