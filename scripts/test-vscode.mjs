// Packs the extension, installs a real VS Code where there is none yet, and tests the one in the other.
// Ends with 75 where VS Code itself did not come up: then nothing is known about the extension.
import { spawn } from 'node:child_process'
import { reportMissingPrograms } from './system-programs.mjs'
import { runVitestTwice } from './vitest-run.mjs'

const NOT_UP = 75

process.exitCode = await run()

async function run() {
  if (reportMissingPrograms('vscode')) return told(0, 1)
  const [installed, packed] = await Promise.all([
    command('node', ['apps/vscode/test/install-vscode.mjs']),
    command('npm', ['run', '--silent', 'package', '--prefix', 'apps/vscode']),
  ])
  if (packed !== 0) return told(0, 1)
  if (installed !== 0) return told(0, 1, NOT_UP)
  const { passed, failed, files } = await runVitestTwice(
    ['-c', 'apps/vscode/test/real/vitest.config.ts'],
    process.argv.slice(2),
  )
  const isUp = !files.some(({ message = '' }) => message.includes('VS Code is not up'))
  return told(passed, failed, isUp ? 1 : NOT_UP)
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
