// Packs the extension, installs a real VS Code where there is none yet, and tests the one in the other.
// Ends with 75 where VS Code itself did not come up: then nothing is known about the extension.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const NOT_UP = 75
const folder = mkdtempSync(join(tmpdir(), 'secretary-run-'))
const report = join(folder, 'report.json')

process.exitCode = await run()
rmSync(folder, { recursive: true, force: true })

async function run() {
  const [installed, packed] = await Promise.all([
    command('node', ['apps/vscode/test/install-vscode.mjs']),
    command('npm', ['run', '--silent', 'package', '--prefix', 'apps/vscode']),
  ])
  if (packed !== 0) return told(0, 1)
  if (installed !== 0) return told(0, 1, NOT_UP)
  const config = ['run', '-c', 'apps/vscode/test/real/vitest.config.ts']
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { status } = spawnSync('npx', ['--no-install', 'vitest', ...config, ...reporters], {
    stdio: 'inherit',
  })
  const { numPassedTests = 0, numFailedTests = 0, testResults = [] } = readReport()
  const isUp = !testResults.some(({ message = '' }) => message.includes('VS Code is not up'))
  const failed = status === 0 ? 0 : Math.max(1, numFailedTests)
  return told(numPassedTests, failed, isUp ? 1 : NOT_UP)
}

function told(passed, failed, code = 1) {
  console.log(`${passed} passed, ${failed} failed`)
  return failed > 0 || passed === 0 ? code : 0
}

function command(name, args) {
  return new Promise((resolve) => {
    const child = spawn(name, args, { stdio: 'inherit' })
    child.once('error', () => resolve(1))
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

function readReport() {
  try {
    return JSON.parse(readFileSync(report, 'utf8'))
  } catch {
    return {}
  }
}
