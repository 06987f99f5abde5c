import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

const HOLD = `
  import { DatabaseSync } from '@photostructure/sqlite'
  const file = new DatabaseSync(process.argv[1], { timeout: 5000 })
  file.exec('BEGIN IMMEDIATE')
  console.log('held')
  process.stdin.once('end', () => { file.exec('ROLLBACK'); file.close() }).resume()
`

/** Another process that holds the write lock of an SQLite file until it is told to let go. */
export async function holdLock(path: string): Promise<{ letGo(): Promise<void> }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', HOLD, path], {
    cwd: import.meta.dirname,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(createInterface({ input: child.stdout }), 'line')
  return {
    async letGo() {
      const ended = once(child, 'exit')
      child.stdin.end()
      await ended
    },
  }
}
