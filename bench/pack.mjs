// On issues with the change that fixed them: how often a pack of 4,000 tokens holds the changed file and the changed function,
// beside the first files of plain search, cut at the same length. The issues (SWE-bench's form, a JSON object a line) and the
// repositories are public and stay outside: BENCH_ISSUES names the file, BENCH_MIRRORS the folder of git directories
// `owner+name/repo`, BENCH_REPOS the repositories.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const BUDGET = 4_000
const CHARACTERS = BUDGET * 3.5
const { BENCH_ISSUES: issues, BENCH_MIRRORS: mirrors, BENCH_REPOS: repos } = process.env
const git = (...args) =>
  execFileSync('git', args, { maxBuffer: 2 ** 30, stdio: ['ignore', 'pipe', 'ignore'] }).toString()

export async function pack(root) {
  if (!issues || !mirrors || !repos)
    throw new Error('Set BENCH_ISSUES, BENCH_MIRRORS and BENCH_REPOS; nothing was measured')
  const bin = join(root, 'dist', 'secretary.js')
  const work = mkdtempSync(join(tmpdir(), 'pack-'))
  const env = {
    ...process.env,
    HOME: work,
    SECRETARY_HOME: join(work, 'home'),
    SECRETARY_RATE_LIMITS: 'off',
    SECRETARY_LOG_LEVEL: 'error',
  }
  const wanted = new Set(repos.split(','))
  const tally = {
    packFile: 0,
    packFunction: 0,
    plainFile: 0,
    plainFunction: 0,
    tokens: 0,
    count: 0,
  }
  const ranks = []
  const times = []
  for (const line of readFileSync(issues, 'utf8').trim().split('\n')) {
    const { repo, base_commit: commit, problem_statement: issue, patch } = JSON.parse(line)
    const changed = [...changedLines(patch)]
    if (!wanted.has(repo) || changed.length === 0) continue
    const project = checkedOut(work, repo, commit)
    execFileSync(process.execPath, [bin, 'index', '--project', project], { env, stdio: 'ignore' })
    const goal = issue.slice(0, 8_000)
    const pack = { name: 'context_pack', arguments: { goal, budget: BUDGET } }
    const [{ body: packed, ms: firstMs }, { body: search }, { ms: againMs }] = await ask(
      [bin, 'mcp', '--project', project],
      env,
      [pack, { name: 'context_search', arguments: { query: goal, limit: 20 } }, pack],
    )
    times.push({ firstMs, againMs })
    const held = packed.parts.filter(({ kind }) => kind === 'code')
    const files = [...new Set(search.results.flatMap(({ file }) => file ?? []))]
    const plain = firstFiles(project, files)
    ranks.push(Math.max(...changed.map(([path]) => files.indexOf(path) + 1 || Infinity)))
    tally.count++
    tally.tokens += packed.tokens
    tally.packFile += holdsFiles(held, changed)
    tally.packFunction += holdsLines(held, changed)
    tally.plainFile += holdsFiles(plain, changed)
    tally.plainFunction += holdsLines(plain, changed)
  }
  rmSync(work, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 })
  const share = (value) => (value / tally.count).toFixed(3)
  const median = (values) => Math.round(values.toSorted((a, b) => a - b)[values.length >> 1])
  const among = (most) => share(ranks.filter((rank) => rank <= most).length)
  return {
    title: `Pack: ${tally.count} issues, ${BUDGET} tokens`,
    header: ['', 'changed file held', 'changed function held'],
    rows: [
      [
        `context_pack, ${Math.round(tally.tokens / tally.count)} tokens on average`,
        share(tally.packFile),
        share(tally.packFunction),
      ],
      ['first files of plain search', share(tally.plainFile), share(tally.plainFunction)],
    ],
    notes: [
      `A pack takes ${median(times.map(({ firstMs }) => firstMs))} ms as the first call of a server, ${median(times.map(({ againMs }) => againMs))} ms later (medians).`,
      `context_search with the full text of the issue: all changed files are the first result in ${among(1)}, among the first five files in ${among(5)}, among the first ten in ${among(10)}.`,
    ],
  }
}

function checkedOut(work, repo, commit) {
  const project = join(work, repo.replace('/', '+'))
  const mirror = join(mirrors, repo.replace('/', '+'), 'repo')
  if (!existsSync(project)) git('clone', '--quiet', '--shared', '--no-checkout', mirror, project)
  try {
    git('-C', project, 'checkout', '--quiet', '--force', commit)
  } catch {
    // A file that the mirror lacks; the rest is there.
  }
  return project
}

function holdsFiles(parts, changed) {
  return changed.every(([path]) => parts.some(({ file }) => file === path))
}

function holdsLines(parts, changed) {
  return changed.every(([path, lines]) =>
    parts.some(
      ({ file, line, endLine }) => file === path && lines.some((at) => at >= line && at <= endLine),
    ),
  )
}

/** The old lines that a patch changes, by file; tests do not count. */
function changedLines(patch) {
  const files = new Map()
  let path
  let line = 0
  for (const text of patch.split('\n')) {
    const file = /^--- a\/(\S+)/.exec(text)
    const hunk = /^@@ -(\d+)/.exec(text)
    if (file) path = /(^|\/)tests?\//.test(file[1]) ? undefined : file[1]
    else if (hunk) line = Number(hunk[1])
    else if (path && text.startsWith('-')) files.set(path, [...(files.get(path) ?? []), line++])
    else if (path && text.startsWith('+') && !text.startsWith('+++'))
      files.set(path, [...(files.get(path) ?? []), Math.max(1, line - 1)])
    else line++
  }
  return files
}

/** Asks one server several things, one after the other. */
async function ask(command, env, calls) {
  const child = spawn(process.execPath, command, { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const send = async (message) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    while (message.id !== undefined) {
      const answer = JSON.parse((await lines.next()).value)
      if (answer.id === message.id) return answer.result
    }
  }
  const clientInfo = { name: 'bench', version: '1' }
  await send({
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
  })
  await send({ method: 'notifications/initialized' })
  const answers = []
  for (const [at, params] of calls.entries()) {
    const began = performance.now()
    const { content } = await send({ id: at + 1, method: 'tools/call', params })
    answers.push({ ms: performance.now() - began, body: JSON.parse(content[0].text) })
  }
  const ended = new Promise((done) => child.once('exit', done))
  child.kill()
  await ended
  return answers
}

/** Whole files in the order of the search until the budget is spent; the last one is cut. */
function firstFiles(project, paths) {
  const parts = []
  let left = CHARACTERS
  for (const file of paths) {
    if (left <= 0) break
    const text = readFileSync(join(project, file), 'utf8')
    const shown = text.slice(0, left)
    left -= shown.length
    parts.push({ file, line: 1, endLine: shown.split('\n').length })
  }
  return parts
}
