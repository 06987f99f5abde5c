import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts'
import { confirmLines } from '../grep/grep.ts'
import { readProjectFile } from './file-reader.ts'

const BEGIN = '-----BEGIN RSA PRIVATE KEY-----'
const END = '-----END RSA PRIVATE KEY-----'
/** No line of the text around it looks like this. */
const body = (number: number) => `S3cr3t${String(number).padStart(6, '0')}${'Qx7z'.repeat(10)}`

const plain = fc.constantFrom(
  '',
  'some text',
  '# A heading',
  'const a = 1',
  '  indented',
  'é and 猫',
)
/** Keys as they are, torn, ended twice or not at all, and very long. */
const keyLines = fc.oneof(
  fc.nat({ max: 40 }).map((count) => [BEGIN, ...lines(count), END]),
  fc.nat({ max: 40 }).map((count) => [BEGIN, ...lines(count)]),
  fc.nat({ max: 20 }).map((count) => [BEGIN, END, ...lines(count), END]),
  fc.constant([BEGIN, ...lines(700), END]),
)

function lines(count: number): string[] {
  return Array.from({ length: count }, (_, number) => body(number))
}

describe('a key in a file', () => {
  const root = realpathSync(temporaryFolder())
  mkdirSync(join(root, 'notes'))
  let written = 0

  it('is shown in no part of it, and neither is it found, whatever is around it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(plain, { maxLength: 20 }),
        keyLines,
        fc.array(plain, { maxLength: 20 }),
        fc.nat({ max: 60 }),
        fc.nat({ max: 30 }),
        async (before, key, after, first, length) => {
          const path = `notes/${written++}.md`
          const all = [...before, ...key, ...after]
          writeFileSync(join(root, path), all.join('\n'))
          const startLine = (first % all.length) + 1
          const shown = await Promise.all([
            readProjectFile(root, path).catch(String),
            readProjectFile(root, path, { startLine, endLine: startLine + length }).catch(String),
          ])
          expect(JSON.stringify(shown)).not.toContain('S3cr3t')
          let at = 0
          for (const [index, line] of all.entries()) {
            const bytes = Buffer.from(line)
            const isFound = confirmLines(root, path, [{ number: index + 1, at, bytes }])
            if (line.startsWith('S3cr3t')) expect(isFound, line).toBe(false)
            at += bytes.length + 1
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})
