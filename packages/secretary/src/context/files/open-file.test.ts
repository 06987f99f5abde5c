import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '@secretary-mcp/core/failure.ts'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts'
import { readProjectFile } from './file-reader.ts'

const SECRET = 'outside and secret'

async function readQuietly(root: string, path: string): Promise<string> {
  try {
    return (await readProjectFile(root, path)).file.content
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
}

describe('reading while things change', () => {
  it('C7 leaks no byte where a folder on the way turns into a link and back', async () => {
    const folder = temporaryFolder()
    const root = join(folder, 'project')
    for (const path of ['project/inside', 'outside'])
      mkdirSync(join(folder, path), { recursive: true })
    writeFileSync(join(root, 'inside/a.txt'), 'fine')
    writeFileSync(join(folder, 'outside/a.txt'), SECRET)
    symlinkSync(join(folder, 'outside'), join(root, 'link'))
    let isDone = false
    const swapping = (async () => {
      while (!isDone) {
        renameSync(join(root, 'inside'), join(root, 'parked'))
        renameSync(join(root, 'link'), join(root, 'inside'))
        await new Promise(setImmediate)
        renameSync(join(root, 'inside'), join(root, 'link'))
        renameSync(join(root, 'parked'), join(root, 'inside'))
        await new Promise(setImmediate)
      }
    })()
    const seen = new Set<string>()
    for (let n = 0; n < 500; n++) {
      seen.add(await readQuietly(root, 'inside/a.txt'))
      // A refusal takes no turn of the event loop, and the swapping needs one.
      if (n % 3 === 0) await new Promise(setImmediate)
    }
    isDone = true
    await swapping
    expect(seen).not.toContain(SECRET)
    expect(seen).toContain('fine')
  })

  it('C4 gives one state of a file that is replaced again and again', async () => {
    const root = temporaryFolder()
    const states = ['a'.repeat(50_000), 'b'.repeat(70_000)]
    const path = join(root, 'busy.txt')
    writeFileSync(path, states[0] ?? '')
    let isDone = false
    const writing = (async () => {
      for (let n = 0; !isDone; n++) {
        writeFileSync(`${path}.new`, states[n % 2] ?? '')
        renameSync(`${path}.new`, path)
        await new Promise(setImmediate)
      }
    })()
    for (let n = 0; n < 200; n++) {
      const content = await readQuietly(root, 'busy.txt')
      expect([...states, 'File not found']).toContain(content)
    }
    isDone = true
    await writing
  })

  it('C6 says that a file is gone where it vanishes', async () => {
    const root = temporaryFolder()
    writeFileSync(join(root, 'short.txt'), 'x')
    expect(await readQuietly(root, 'short.txt')).toBe('x')
    rmSync(join(root, 'short.txt'))
    expect(await readQuietly(root, 'short.txt')).toBe('File not found')
  })
})
