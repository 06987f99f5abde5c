import { describe, expect, it } from 'vitest'
import { engineFor, filesFor } from '../../../../test/support/search-engine-house.ts'
import { readQuery } from './query.ts'

describe('a question of how something works', () => {
  const users = Object.fromEntries(
    Array.from({ length: 8 }, (_, nth) => [
      `src/user${nth}.ts`,
      `import { dispatcher } from './dispatcher.ts'\nexport const user${nth} = () => dispatcher(${nth})\n`,
    ]),
  )
  const files = {
    'src/dispatcher.ts':
      'export function dispatcher(order: number) {\n  return retry(order) // orders are retried\n}\n',
    'src/list.ts': 'export const list = [] // orders retried, retried orders\n',
    ...users,
  }

  it('is answered first by the file that the others build on', async () => {
    const { engine } = await engineFor({ files })
    await engine.index()
    expect((await filesFor(engine, 'how are orders retried'))[0]).toBe('src/dispatcher.ts')
    expect((await filesFor(engine, 'orders retried'))[0]).toBe('src/list.ts')
  })

  it('is told by how it begins; an issue is none', () => {
    expect(readQuery('how are orders retried').asksHow).toBe(true)
    expect(readQuery('Where is the limit decided?').asksHow).toBe(true)
    expect(readQuery('retried orders').asksHow).toBe(false)
    expect(readQuery('how are orders retried\n\nThey are lost since 2.1').asksHow).toBe(false)
  })
})
