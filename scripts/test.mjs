// Linter, types and tests; the last line says how many passed and failed. Arguments go to vitest.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { installPgvector } from './install-pgvector.mjs'
import { runVitest } from './vitest-run.mjs'

const CHECKS = [
  ['biome', 'check', '.'],
  ['tsc', '--noEmit'],
  ['tsc', '--noEmit', '-p', 'apps/dashboard'],
]
const given = process.argv.slice(2)

if (['page', 'teams', 'package'].some((name) => given.includes(name))) installPrograms()
if (given.includes('teams')) installVectors()
// Beside the tests, which wait for processes of their own much of the time.
const checks = given.length === 0 ? Promise.all(CHECKS.map(check)) : []
// What needs a browser, several servers or packages from the registry has a command of its own, so that this one stays short.
const projects = ['unit', 'large', 'stores', 'repo', 'contract', 'process', 'alone']
const tests = await runVitest(
  given.length === 0 ? projects.map((name) => `--project=${name}`) : given,
)
const problems = (await checks).filter((problem) => problem !== undefined)
for (const problem of problems) console.log(problem)
const failed = tests.failed + problems.length
console.log(`${tests.passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || tests.passed === 0 ? 1 : 0

/** What is wrong, to be said at the end, where the tests do not write over it. */
async function check(words) {
  const child = spawn('npx', ['--no-install', ...words])
  const said = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => said.push(part))
  const [status] = await once(child, 'close')
  return status === 0 ? undefined : `${Buffer.concat(said)}\nfailed: ${words.join(' ')}`
}

/** Where it cannot be had, the test that needs it says what to do. */
function installVectors() {
  try {
    installPgvector()
  } catch (error) {
    console.log(`pgvector was not installed: ${error.message}`)
  }
}

/** A real browser for the page, a real pooler before the database, a builder of images: a Debian machine without them gets them, others are told what to do by the tests. */
function installPrograms() {
  const browsers = JSON.parse(
    readFileSync(new URL('../test/support/browser-places.json', import.meta.url), 'utf8'),
  )
  const isThere = (...paths) => paths.some((path) => path && existsSync(path))
  const missing = []
  if (given.includes('page') && !isThere(process.env.CHROMIUM_PATH, ...browsers))
    missing.push('chromium', 'fonts-liberation')
  if (given.includes('teams') && !isThere(process.env.PGBOUNCER_PATH, '/usr/sbin/pgbouncer'))
    missing.push('pgbouncer')
  if (given.includes('package') && !isThere('/usr/bin/buildah')) missing.push('buildah')
  if (missing.length === 0 || !existsSync('/usr/bin/apt-get')) return
  const root = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...missing]]) {
    const [command, ...rest] = [...root, 'apt-get', '-qq', ...args]
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
    spawnSync(command, rest, { stdio: 'inherit', env })
  }
}
