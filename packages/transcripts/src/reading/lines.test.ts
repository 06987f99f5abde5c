import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { bytesAt, linesOf, MAX_LINE, seamAt } from './lines.ts'

async function read(path: string, from = 0) {
  const warnings: string[] = []
  const lines: { text: string; at: number; whole: boolean }[] = []
  const context = {
    signal: new AbortController().signal,
    warn: (_path: string, why: string) => warnings.push(why),
  }
  for await (const some of linesOf(path, from, context))
    for (const { bytes, at, whole } of some) lines.push({ text: bytes.toString(), at, whole })
  return { lines, warnings }
}

describe('lines of a file', () => {
  it('gives each with its place, empty ones left out, and marks a last one without its end', async () => {
    const path = join(temporaryFolder(), 'a')
    writeFileSync(path, 'one\n\nzwei 🐈\ntorn')
    const { lines } = await read(path)
    expect(lines).toEqual([
      { text: 'one', at: 0, whole: true },
      { text: 'zwei 🐈', at: 5, whole: true },
      { text: 'torn', at: 15, whole: false },
    ])
    for (const { text, at } of lines)
      expect((await bytesAt(path, at, Buffer.byteLength(text)))?.toString()).toBe(text)
  })

  it('puts lines together that are longer than what is read at once', async () => {
    const path = join(temporaryFolder(), 'a')
    const long = 'é'.repeat(400_000)
    writeFileSync(path, `x\n${long}\ny\n`)
    const { lines } = await read(path)
    expect(lines.map(({ text }) => text.length)).toEqual([1, 400_000, 1])
    expect(lines[2]?.at).toBe(2 + 800_000 + 1)
  })

  it('leaves out a line over the bound, with a warning, and goes on behind it', async () => {
    const path = join(temporaryFolder(), 'a')
    writeFileSync(path, 'before\n')
    appendFileSync(path, Buffer.alloc(MAX_LINE + 1, 'x'))
    appendFileSync(path, '\nafter\n')
    const { lines, warnings } = await read(path)
    expect(lines.map(({ text }) => text)).toEqual(['before', 'after'])
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain('32 MB')
  })

  it('has a seam that an append keeps and a rewrite does not', async () => {
    const path = join(temporaryFolder(), 'a')
    writeFileSync(path, 'one\ntwo\n')
    const seam = await seamAt(path, 8)
    appendFileSync(path, 'three\n')
    expect(await seamAt(path, 8)).toBe(seam)
    writeFileSync(path, 'eins\nzwei\ndrei\n')
    expect(await seamAt(path, 8)).not.toBe(seam)
  })
})
