import { mkdtempSync, realpathSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Tests write thousands of small files: where the system keeps a large folder in memory, there. */
const MEMORY = '/dev/shm'
const ENOUGH_BYTES = 4 * 2 ** 30
const place = process.env.TMPDIR === undefined && hasRoom(MEMORY) ? MEMORY : tmpdir()
const made: string[] = []
/** Whatever runs all tests removes what is left of them by this. */
const run = process.env.TEST_RUN ?? ''

/** A folder that is gone when the process ends, or with the test that made it. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(place, `secretary-test-${run}`)))
  try {
    onTestFinished(() => remove(folder))
  } catch {
    // Made in a hook, for a whole suite.
    made.push(folder)
  }
  return folder
}

process.once('exit', () => {
  for (const folder of made) remove(folder)
})

/** A program that the test ended may still be writing into it. */
function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > ENOUGH_BYTES
  } catch {
    return false
  }
}
