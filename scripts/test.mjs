// Linter, types, then every test; the last line says how many passed and failed. Arguments go to vitest.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const given = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'secretary-run-'))
const report = join(folder, 'report.json')
const run = (command, args) =>
  spawnSync('npx', ['--no-install', command, ...args], { stdio: 'inherit' }).status ?? 1

let failedChecks = 0
if (given.length === 0) {
  installPrograms()
  for (const [command, args] of [
    ['biome', ['check', '.']],
    ['tsc', ['--noEmit']],
    ['tsc', ['--noEmit', '-p', 'apps/dashboard']],
  ]) {
    if (run(command, args) !== 0) failedChecks++
  }
}
const status = run('vitest', [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
  // What is packed and shipped has a command of its own: it installs packages from the registry.
  ...(given.length === 0 ? ['--project=!package'] : given),
])
const { numPassedTests = 0, numFailedTests = 0, numFailedTestSuites = 0 } = readReport()
rmSync(folder, { recursive: true, force: true })
const failed =
  numFailedTests +
  failedChecks +
  (numFailedTests === 0 && status !== 0 ? Math.max(1, numFailedTestSuites) : 0)
console.log(`${numPassedTests} passed, ${failed} failed`)
process.exitCode = failed > 0 || numPassedTests === 0 ? 1 : 0

function readReport() {
  try {
    return JSON.parse(readFileSync(report, 'utf8'))
  } catch {
    return {}
  }
}

/** The page is tested in a real browser, the database behind a real pooler: a Debian machine without one gets it, others are told what to do by the tests. */
function installPrograms() {
  const places = JSON.parse(
    readFileSync(new URL('../test/support/browser-places.json', import.meta.url), 'utf8'),
  )
  const isThere = (...paths) => paths.some((path) => path && existsSync(path))
  const missing = [
    ...(isThere(process.env.CHROMIUM_PATH, ...places) ? [] : ['chromium', 'fonts-liberation']),
    ...(isThere(process.env.PGBOUNCER_PATH, '/usr/sbin/pgbouncer') ? [] : ['pgbouncer']),
  ]
  if (missing.length === 0 || !existsSync('/usr/bin/apt-get')) return
  const root = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const apt = (...args) =>
    spawnSync([...root, 'apt-get'][0], [...root, 'apt-get', '-qq', ...args].slice(1), {
      stdio: 'inherit',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    })
  apt('update')
  apt('install', '-y', '--no-install-recommends', ...missing)
}
