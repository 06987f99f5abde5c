import { describe, expect, it } from 'vitest'
import type { Sense } from '../languages/senses.ts'
import { indexTerms } from '../text/index-terms.ts'
import { shareTogether } from './senses-together.ts'

describe('how much of a translated message stands in one place', () => {
  const senses = [sense('delete remove failed'), sense('open'), sense('file'), sense('temporary')]
  const worth = [2, 1, 1, 4]
  const far = `file\n${'x = y\n'.repeat(30)}`

  it('is all of it where every sense is there, in any order and by any of its words', () => {
    expect(shareTogether(senses, worth, 'throw new Error("failed to open temporary file")')).toBe(1)
    expect(shareTogether(senses, worth, 'temporaryFile.open() || failed')).toBe(1)
  })

  it('is less where a sense is missing, by what that sense is worth', () => {
    expect(shareTogether(senses, worth, 'failed to open the file')).toBe(0.5)
  })

  it('does not add up what stands far apart', () => {
    expect(shareTogether(senses, worth, `${far}failed to open`)).toBe(3 / 8)
  })

  it('counts a sense once, however often and by however many words it is there', () => {
    expect(shareTogether(senses, worth, 'delete remove failed file file')).toBe(3 / 8)
  })

  it('is nothing where no two senses meet', () => {
    expect(shareTogether(senses, worth, 'temporary temporary')).toBe(0)
    expect(shareTogether(senses, worth, '')).toBe(0)
  })
})

function sense(words: string): Sense {
  return { terms: indexTerms(words), isTranslated: true }
}
