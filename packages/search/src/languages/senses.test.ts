import { describe, expect, it } from 'vitest'
import { bridges, engineFor, filesFor } from '../../../../test/support/search-engine-house.ts'
import { isCoincidence, sensesOf, translate } from './translate.ts'

const CLOCK = {
  'src/clock.ts':
    '/** How long to wait, and the time left. */\nexport function timeLeft() { return time }\n',
  'src/letters.ts': 'export function draw(w: number) { return w * w }\n',
}

describe('the senses of a question in another language', () => {
  it('are its words with all that they may mean, and its names', async () => {
    const found = await translate('qué tiempo espera createStore', bridges)
    const senses = sensesOf(found?.meanings ?? [], new Map([['createstor', 1]]))
    expect(senses).toContainEqual({
      terms: expect.arrayContaining(['time', 'timeout']),
      isTranslated: true,
    })
    expect(senses).toContainEqual({ terms: ['createstor'], isTranslated: false })
  })

  it('are a coincidence where one of several is known, and only by a translation', () => {
    const translated = (...terms: string[]) => ({ terms, isTranslated: true })
    const senses = [translated('time', 'weather'), translated('tomorrow'), translated('rose')]
    const knows = (...known: string[]) => [senses, (term: string) => known.includes(term)] as const
    expect(isCoincidence(...knows('time'))).toBe(true)
    expect(isCoincidence(...knows('time', 'rose'))).toBe(false)
    expect(isCoincidence(senses.slice(0, 2), () => false)).toBe(false)
    const named = [...senses, { terms: ['nginx'], isTranslated: false }]
    expect(isCoincidence(named, (term) => term === 'nginx')).toBe(false)
  })
})

describe('a question about something else', () => {
  it.each([
    'quel temps fera-t-il demain à Paris',
    'qué tiempo hará mañana en Madrid',
    'che tempo farà domani a Roma',
    'jaka będzie jutro pogoda w Krakowie',
  ])('is not answered for one word with two meanings, or one letter: %s', async (query) => {
    const { engine } = await engineFor({ files: CLOCK })
    await engine.index()
    expect(await filesFor(engine, query)).toEqual([])
  })

  it.each(['tiempo de espera agotado', 'le temps d’attente de la connexion'])(
    'is told from one about the same word in its other meaning: %s',
    async (query) => {
      const { engine } = await engineFor({ files: CLOCK })
      await engine.index()
      expect((await filesFor(engine, query))[0]).toBe('src/clock.ts')
    },
  )
})
