import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import type { DocumentFile } from './documents/document.ts'
import { diffLines, reviewDocuments } from './trust-review.ts'
import { TrustedDocuments } from './trusted-documents.ts'

describe('the review of a project’s documents', () => {
  it('shows what changed since the text was trusted, with characters that nobody sees', () => {
    const project = temporaryFolder()
    const root = join(project, '.guide')
    mkdirSync(root)
    const file: DocumentFile = {
      path: 'rule.md',
      layer: 'project',
      root,
      absolute: join(root, 'rule.md'),
    }
    const trusted = new TrustedDocuments(temporaryFolder())
    const review = () => reviewDocuments(project, [file], trusted).documents
    writeFileSync(file.absolute, 'one\ntwo\n')
    expect(review()).toMatchObject([{ state: 'new', change: '+ one\n+ two' }])
    trusted.trust(project, review())
    writeFileSync(file.absolute, 'one\ntwo\u200b\u001b[2J\n')
    expect(review()).toMatchObject([
      { state: 'changed', change: '  one\n- two\n+ two\\u{200b}\\u{1b}[2J' },
    ])
  })

  it('shows no private key', () => {
    const project = temporaryFolder()
    const root = join(project, '.guide')
    mkdirSync(root)
    const key = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0B\n'.repeat(12)}-----END PRIVATE KEY-----\n`
    writeFileSync(join(root, 'rule.md'), `# Rule\n\n${key}`)
    const file: DocumentFile = {
      path: 'rule.md',
      layer: 'project',
      root,
      absolute: join(root, 'rule.md'),
    }
    const { documents } = reviewDocuments(project, [file], new TrustedDocuments(temporaryFolder()))
    expect(documents[0]?.change).not.toContain('MIIEvQ')
  })
})

describe('a diff of lines', () => {
  it('has every line of both texts that differ, marked by where it comes from', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 })
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before.join('\n'), after.join('\n')).split('\n')
        const changed = (mark: string) => lines.filter((line) => line.startsWith(mark)).length
        expect(before.length - changed('-')).toBe(after.length - changed('+'))
      }),
    )
  })
})
