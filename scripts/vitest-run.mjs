import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

/** Runs vitest, and says what became of each test; every failure is named once more in a line of its own, so that the end of a long output tells what is wrong. */
export async function runVitest(args) {
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
    { stdio: 'inherit' },
  )
  const [status] = await once(child, 'exit')
  const { numPassedTests = 0, numFailedTests = 0, testResults = [] } = readReport(report)
  rmSync(folder, { recursive: true, force: true })
  const failures = testResults.flatMap(failuresOf)
  for (const line of failures) console.log(`failed: ${line}`)
  const failed = Math.max(numFailedTests, failures.length, status === 0 ? 0 : 1)
  return { passed: numPassedTests, failed, files: testResults }
}

function failuresOf({ name, message = '', status, assertionResults }) {
  const path = relative(process.cwd(), name)
  const tests = assertionResults
    .filter((one) => one.status === 'failed')
    .map((one) => `${path} > ${one.fullName}: ${firstLine(one.failureMessages?.[0])}`)
  return tests.length === 0 && status === 'failed' ? [`${path}: ${firstLine(message)}`] : tests
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
