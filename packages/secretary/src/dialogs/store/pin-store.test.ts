import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines, openFresh } from '../../../../../test/support/engines.ts'
import type { Database } from '../../storage/database.ts'
import { createPinStore } from '../pins/pins.ts'

describe.each(engines)('pins on $name', (engine) => {
  let database: Database

  beforeAll(async () => {
    database = await openFresh(engine)
  })
  afterAll(() => database.close())

  it('are listed for their own user and project alone, newest first, and removed once', async () => {
    const pins = createPinStore(database)
    const pin = {
      text: 'answer in German',
      sessionId: 's1',
      index: 2,
      source: 'codex',
      project: '/p',
      pinnedAt: 1_768_000_000_000,
    }
    const first = await pins.add('ada', pin)
    const second = await pins.add('ada', { ...pin, text: 'use tabs' })
    await pins.add('bob', pin)
    await pins.add('ada', { ...pin, project: '/other' })
    expect(await pins.list('ada', ['/p', '/elsewhere'])).toEqual([second, first])
    expect(first).toMatchObject({ text: 'answer in German', pinnedAt: 1_768_000_000_000 })
    expect(await pins.list('ada', [])).toEqual([])
    expect(await pins.remove('bob', first.id)).toBeUndefined()
    expect(await pins.remove('ada', first.id)).toEqual(first)
    expect(await pins.remove('ada', first.id)).toBeUndefined()
  })
})
