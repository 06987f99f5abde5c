import { execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { readInside } from './read-inside.ts'

function place(): { root: string; outside: string } {
  const folder = realpathSync(temporaryFolder())
  const root = join(folder, 'root')
  const outside = join(folder, 'outside')
  mkdirSync(join(root, 'docs'), { recursive: true })
  mkdirSync(outside)
  writeFileSync(join(root, 'docs/a.md'), 'inside')
  writeFileSync(join(outside, 'a.md'), 'SECRET')
  return { root, outside }
}

describe('reading a file below a root', () => {
  it('reads a regular file, and nothing larger than it may', () => {
    const { root } = place()
    expect(readInside(root, 'docs/a.md', 100)?.toString()).toBe('inside')
    expect(readInside(root, 'docs/a.md', 5)).toBeUndefined()
    expect(readInside(root, 'docs/none.md', 5)).toBeUndefined()
    expect(readInside(root, 'docs', 100)).toBeUndefined()
  })

  it('follows a link only where that is wanted, and never out', () => {
    const { root, outside } = place()
    symlinkSync('docs/a.md', join(root, 'in.md'))
    symlinkSync(join(outside, 'a.md'), join(root, 'out.md'))
    symlinkSync(outside, join(root, 'away'))
    expect(readInside(root, 'in.md', 100)).toBeUndefined()
    expect(readInside(root, 'in.md', 100, { links: true })?.toString()).toBe('inside')
    for (const path of ['out.md', 'away/a.md', '../outside/a.md'])
      for (const links of [true, false])
        expect(readInside(root, path, 100, { links })).toBeUndefined()
  })

  it('reads no pipe, no device and no secret', () => {
    const { root } = place()
    execFileSync('mkfifo', [join(root, 'pipe')])
    symlinkSync('/dev/zero', join(root, '.gitignore'))
    writeFileSync(join(root, '.env'), 'SECRET')
    for (const path of ['pipe', '.gitignore', '.env'])
      expect(readInside(root, path, 100, { links: true })).toBeUndefined()
  })

  it('never shows what a folder leads to that is swapped for a link meanwhile', async () => {
    const { root, outside } = place()
    const swapper = new Worker(
      `const { renameSync, symlinkSync, unlinkSync } = require('node:fs')
       const { root, outside, stop } = require('node:worker_threads').workerData
       const flag = new Int32Array(stop)
       while (Atomics.load(flag, 0) === 0) {
         renameSync(root + '/docs', root + '/kept'); symlinkSync(outside, root + '/docs')
         unlinkSync(root + '/docs'); renameSync(root + '/kept', root + '/docs')
       }`,
      { eval: true, workerData: { root, outside, stop: new SharedArrayBuffer(4) } },
    )
    const seen = new Set<string | undefined>()
    await new Promise((resolve) => swapper.once('online', resolve))
    for (let n = 0; n < 20_000; n++) {
      seen.add(readInside(root, 'docs/a.md', 100)?.toString())
      seen.add(readInside(root, 'docs/a.md', 100, { links: true })?.toString())
    }
    await swapper.terminate()
    expect(seen).not.toContain('SECRET')
    expect(seen).toContain('inside')
  })
})
