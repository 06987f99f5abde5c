import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts'
import { DocumentWriter } from './writer.ts'

describe('the writer', () => {
  it('lets one of many that create the same document at once win, whole, and leaves nothing behind', async () => {
    const root = join(temporaryFolder(), 'docroot')
    const texts = Array.from({ length: 20 }, (_, place) => `${place}`.repeat(50_000))
    const won = await Promise.all(
      texts.map((text) => new DocumentWriter(root).create('a/x.md', text)),
    )
    expect(won.filter(Boolean)).toHaveLength(1)
    expect(readFileSync(join(root, 'a/x.md'), 'utf8')).toBe(texts[won.indexOf(true)])
    expect(readdirSync(join(root, 'a'))).toEqual(['x.md'])
  })

  it('always leaves one whole text when many replace it at once', async () => {
    const root = temporaryFolder()
    const texts = Array.from({ length: 10 }, (_, place) => `${place}`.repeat(50_000))
    await Promise.all(texts.map((text) => new DocumentWriter(root).replace('x.md', text)))
    expect(texts).toContain(readFileSync(join(root, 'x.md'), 'utf8'))
    expect(readdirSync(root)).toEqual(['x.md'])
  })

  it('does not write through a link that leads out', async () => {
    const root = temporaryFolder()
    const outside = temporaryFolder()
    symlinkSync(outside, join(root, 'link'))
    const writer = new DocumentWriter(root)
    const attempts = [
      () => writer.create('link/x.md', 'x'),
      () => writer.replace('link/deep/x.md', 'x'),
      () => writer.remove('link/x.md'),
    ]
    for (const attempt of attempts) {
      await expect(attempt()).rejects.toMatchObject({ errorType: 'security_error' })
    }
    expect(readdirSync(outside)).toEqual([])
  })

  it('replaces a link itself, not what it points to', async () => {
    const root = temporaryFolder()
    const outside = join(temporaryFolder(), 'precious.md')
    writeFileSync(outside, 'precious')
    symlinkSync(outside, join(root, 'x.md'))
    await new DocumentWriter(root).replace('x.md', 'new')
    expect(readFileSync(outside, 'utf8')).toBe('precious')
  })

  it('says in our own words what the disk refused, and removes its temporary file', async () => {
    const root = temporaryFolder()
    mkdirSync(join(root, 'taken.md/x'), { recursive: true })
    const writer = new DocumentWriter(root)
    await expect(writer.replace('taken.md', 'x')).rejects.toMatchObject({ errorType: 'save_error' })
    await expect(writer.remove('taken.md')).rejects.toMatchObject({ errorType: 'save_error' })
    expect(readdirSync(root)).toEqual(['taken.md'])
    expect(await writer.remove('no/thing.md')).toBe(false)
    expect(existsSync(join(root, 'no'))).toBe(false)
    expect(existsSync(join(root, 'taken.md/x'))).toBe(true)
  })
})
