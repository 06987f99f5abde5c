import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const made: string[] = []

/** A folder that is gone when the process ends, or with the test that made it. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'secretary-test-')))
  try {
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  } catch {
    // Made in a hook, for a whole suite.
    made.push(folder)
  }
  return folder
}

process.once('exit', () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true })
})
