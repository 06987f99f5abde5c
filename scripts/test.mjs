// Linter, types and tests; the last line says how many passed and failed. Arguments go to vitest.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { reportMissingPrograms } from './system-programs.mjs'
import { runVitest } from './vitest-run.mjs'

const CHECKS = [
  ['biome', 'check', '.'],
  ['tsc', '--noEmit'],
  ['tsc', '--noEmit', '-p', 'apps/dashboard'],
]
const given = process.argv.slice(2)

if (given.some((word) => reportMissingPrograms(word))) {
  console.log('0 passed, 1 failed')
  process.exit(1)
}
// Beside the tests, which wait for processes of their own much of the time.
const checks = given.length === 0 ? Promise.all(CHECKS.map(check)) : []
// What starts many processes, PostgreSQL, a browser or packages from the registry has a command of its own, so that this one stays short.
const projects = ['unit', 'large', 'stores', 'repo', 'contract', 'sample']
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
