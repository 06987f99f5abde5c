import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { engineFor, PROJECT, write } from '../../../test/support/search-engine-house.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import type { Embedder } from './embedder/embedder.ts'

/** Knows two things only: what is about money, and what is not. */
const money: Embedder = {
  id: 'money',
  dimension: 16,
  readsSentences: true,
  embed: async (texts) =>
    texts.map((text) => {
      const vector = new Float32Array(16)
      vector[/invoice|bill|pay/i.test(text) ? 0 : 1] = 1
      return vector
    }),
}

const date = '2026-01-01T00:00:00.000Z'
const notes = [
  { id: 'n1', source: 'discovery', type: 'rule', content: 'Invoices are rounded up', date },
  { id: 'n2', source: 'discovery', type: 'rule', content: 'Customers may log in twice', date },
] as const

describe('an embedder for notes', () => {
  it('decides which note answers, while code keeps its own', async () => {
    const { engine } = await engineFor({ noteEmbedder: money })
    await engine.index()
    await engine.putNotes(notes)
    const { results } = await engine.search({
      query: 'what do customers pay',
      sources: ['discovery'],
    })
    expect(results.map(({ id }) => id)).toEqual(['n1', 'n2'])
    const code = await engine.search({ query: 'authenticate credentials', sources: ['code'] })
    expect(code.results[0]?.file).toBe('src/auth/login.ts')
    expect((await engine.status()).embedded).toBe(1)
  })

  it('takes over the notes that are there, and hands them back when it is gone', async () => {
    const root = temporaryFolder()
    const database = join(temporaryFolder(), 'p.db')
    write(root, PROJECT)
    const answers = async (noteEmbedder?: Embedder) => {
      const { engine } = await engineFor({ root, database, noteEmbedder })
      if (!noteEmbedder) await engine.putNotes(notes)
      await engine.index()
      const { results } = await engine.search({
        query: 'bill',
        sources: ['discovery'],
      })
      await engine.close()
      return results.map(({ id }) => id)
    }
    const without = await answers()
    expect(await answers(money)).toEqual(['n1'])
    expect(await answers()).toEqual(without)
  })

  it('is done without where it fails', async () => {
    const failing: Embedder = { ...money, embed: () => Promise.reject(new Error('no weights')) }
    const { engine } = await engineFor({ noteEmbedder: failing })
    await engine.putNotes(notes)
    const { warnings } = await engine.index()
    expect(warnings).toEqual([
      'the installed model for notes failed, so notes are found by their words only',
    ])
    const { results } = await engine.search({ query: 'invoices', sources: ['discovery'] })
    expect(results.map(({ id }) => id)).toEqual(['n1'])
  })
})
