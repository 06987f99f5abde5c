import { expect, it, onTestFinished, vi } from 'vitest'
import { whileBusy } from './connection.ts'

it('gives up after its time, also when the clock is set back meanwhile', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const attempt = () => {
    vi.setSystemTime(Date.now() - 3_600_000)
    throw Object.assign(new Error('database is locked'), { errcode: 5 })
  }
  await expect(whileBusy(attempt, { waitMs: 20 })).rejects.toThrow('database is locked')
})
