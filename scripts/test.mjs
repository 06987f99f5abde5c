// Linter, types, then every test; the last line says how many passed and failed. Arguments go to vitest.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { runVitest } from './vitest-run.mjs'

const given = process.argv.slice(2)

let failedChecks = 0
if (given.length === 0 || given.includes('page')) installPrograms()
if (given.length === 0) {
  for (const [command, args] of [
    ['biome', ['check', '.']],
    ['tsc', ['--noEmit']],
    ['tsc', ['--noEmit', '-p', 'apps/dashboard']],
  ]) {
    const { status } = spawnSync('npx', ['--no-install', command, ...args], { stdio: 'inherit' })
    if (status === 0) continue
    failedChecks++
    console.log(`failed: ${[command, ...args].join(' ')}`)
  }
}
// What needs a browser or packages from the registry has a command of its own, so that this one stays short.
const projects = ['unit', 'stores', 'repo', 'contract', 'process', 'alone']
const { passed, failed } = runVitest(
  given.length === 0 ? projects.map((name) => `--project=${name}`) : given,
)
console.log(`${passed} passed, ${failed + failedChecks} failed`)
process.exitCode = failed + failedChecks > 0 || passed === 0 ? 1 : 0

/** A real browser for the page, a real pooler before the database: a Debian machine without them gets them, others are told what to do by the tests. */
function installPrograms() {
  const browsers = JSON.parse(
    readFileSync(new URL('../test/support/browser-places.json', import.meta.url), 'utf8'),
  )
  const isThere = (...paths) => paths.some((path) => path && existsSync(path))
  const missing = given.includes('page')
    ? !isThere(process.env.CHROMIUM_PATH, ...browsers) && ['chromium', 'fonts-liberation']
    : !isThere(process.env.PGBOUNCER_PATH, '/usr/sbin/pgbouncer') && ['pgbouncer']
  if (!missing || !existsSync('/usr/bin/apt-get')) return
  const root = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...missing]]) {
    const [command, ...rest] = [...root, 'apt-get', '-qq', ...args]
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
    spawnSync(command, rest, { stdio: 'inherit', env })
  }
}
