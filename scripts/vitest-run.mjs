import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'

/** Runs vitest, and says what became of each test; every failure is named once more in a line of its own, so that the end of a long output tells what is wrong. */
export async function runVitest(args) {
  const run = await runOnce(args)
  for (const line of run.failures) console.log(`failed: ${line}`)
  return run
}

/**
 * For programs that are not ours, typed into and clicked through: a file that failed gets a second chance, and what failed at
 * first is still said. `.ci/run` gives that chance itself, when nothing else runs any more.
 */
export async function runVitestTwice(args, paths) {
  if (process.env.SECOND_CHANCE === 'later') return runVitest([...args, ...paths])
  const first = await runOnce([...args, ...paths])
  const isWhole = ({ status }) => status !== 'failed'
  const failing = first.files.filter((file) => !isWhole(file)).map(({ name }) => pathOf(name))
  for (const line of first.failures)
    console.log(`${failing.length > 0 ? 'failed at first' : 'failed'}: ${line}`)
  if (failing.length === 0) return first
  const second = await runVitest([...args, ...failing])
  const files = [...first.files.filter(isWhole), ...second.files]
  const tests = files.flatMap(({ assertionResults }) => assertionResults)
  return {
    ...second,
    passed: tests.filter(({ status }) => status === 'passed').length,
    files,
  }
}

async function runOnce(args) {
  const folder = mkdtempSync(join(tmpdir(), 'secretary-run-'))
  const report = join(folder, 'report.json')
  const child = spawn(
    'npx',
    [
      '--no-install',
      'vitest',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...args,
    ],
    { stdio: 'inherit', env: { ...process.env, TEST_RUN: runOf(folder) } },
  )
  const [status] = await once(child, 'exit')
  removeFolders(runOf(folder))
  const { numPassedTests = 0, numFailedTests = 0, testResults = [] } = readReport(report)
  rmSync(folder, { recursive: true, force: true })
  const failures = testResults.flatMap(failuresOf)
  const failed = Math.max(numFailedTests, failures.length, status === 0 ? 0 : 1)
  return { passed: numPassedTests, failed, failures, files: testResults }
}

function runOf(folder) {
  return basename(folder).slice(-4)
}

/** Vitest ends its workers without asking them, so what tests made for a whole suite is still there, partly in memory. */
function removeFolders(run) {
  for (const place of ['/dev/shm', tmpdir()])
    for (const name of namesIn(place))
      if (name.startsWith(`secretary-test-${run}`))
        rmSync(join(place, name), { recursive: true, force: true, maxRetries: 3 })
}

function namesIn(folder) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function failuresOf({ name, message = '', status, assertionResults }) {
  const path = pathOf(name)
  const tests = assertionResults
    .filter((one) => one.status === 'failed')
    .map((one) => `${path} > ${one.fullName}: ${firstLine(one.failureMessages?.[0])}`)
  return tests.length === 0 && status === 'failed' ? [`${path}: ${firstLine(message)}`] : tests
}

function pathOf(name) {
  return relative(process.cwd(), name)
}

function firstLine(text = '') {
  return text.split('\n', 1)[0]
}

function readReport(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8'))
  } catch {
    return {}
  }
}
