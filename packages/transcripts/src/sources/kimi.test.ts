import { join } from 'node:path'
import { expect, it } from 'vitest'
import { deedsHouse } from '../../../../test/support/deeds-house.ts'

it('says that a turn of Kimi Code was interrupted where the person cancelled it', async () => {
  const house = deedsHouse()
  const asked = (text: string, time: number) => ({
    type: 'turn.prompt',
    origin: { kind: 'user' },
    input: [{ type: 'text', text }],
    time,
  })
  const session = house.home.path('.kimi-code', 'sessions', 'wd', 's')
  house.home.write(join(session, 'state.json'), JSON.stringify({ cwd: house.home.project }))
  house.home.write(
    join(session, 'agents', 'main', 'wire.jsonl'),
    [
      asked('Say "cancelled"', 1_790_000_000_000),
      { type: 'turn.ended', reason: 'completed', time: 1_790_000_001_000 },
      asked('Sleep', 1_790_000_002_000),
      { type: 'turn.ended', reason: 'cancelled', time: 1_790_000_003_000 },
    ]
      .map((record) => `${JSON.stringify(record)}\n`)
      .join(''),
  )
  expect(await house.deedsOf('s')).toEqual(['interrupt'])
})
