import { silentLog } from '@secretary-mcp/core/log.ts'
import type { SearchEngine } from '@secretary-mcp/search/search-engine.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openFreshSqlite } from '../../../../test/support/engines.ts'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { Discoveries } from './discoveries/discoveries.ts'
import { Preparation } from './preparation.ts'
import { createDiscoveryStore } from './store/discovery-store.ts'

const SUMMARY = {
  filesIndexed: 0,
  filesUnchanged: 0,
  filesRemoved: 0,
  filesSkipped: 0,
  chunks: 0,
  seconds: 0,
  warnings: [],
}
const unused = () => Promise.reject(new Error('not asked for here'))

async function setUp() {
  const database = openFreshSqlite()
  const discoveries = new Discoveries(createDiscoveryStore(database))
  const caller = { user: 'ada', project: temporaryFolder() }
  await discoveries.record(caller, { type: 'rule', content: 'Every list has a limit' })
  let isDown = true
  const indexed = vi.fn()
  const fed = vi.fn()
  const ifUp = async (work: () => void) => {
    if (isDown) throw new Error('connection refused')
    work()
  }
  const engine: SearchEngine = {
    define: async () => [],
    filesNamed: async () => [],
    isTest: () => false,
    index: () => ifUp(indexed).then(() => SUMMARY),
    watch: unused,
    search: unused,
    putNotes: () => ifUp(fed),
    removeNotes: unused,
    noteIdsUnder: unused,
    removeNotesUnder: unused,
    readUntil: unused,
    setReadUntil: unused,
    readSoFar: unused,
    setReadSoFar: unused,
    status: unused,
    close: async () => {},
  }
  const preparation = new Preparation({
    engineOf: async () => engine,
    reopenEngine: unused,
    indexesCode: true,
    discoveries,
    log: silentLog,
  })
  const attempt = async () => {
    preparation.begin(caller)
    await preparation.settled(caller, 60_000, new AbortController().signal)
  }
  return { attempt, indexed, fed, comesUp: () => (isDown = false) }
}

describe('indexing in the background', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  it('is tried again after a failure, the discoveries too, not at every call and whatever the clock says', async () => {
    const { attempt, indexed, fed, comesUp } = await setUp()
    await attempt()
    comesUp()
    await attempt()
    expect(indexed).not.toHaveBeenCalled()
    vi.advanceTimersByTime(6_000)
    vi.setSystemTime(Date.now() - 7_200_000)
    await attempt()
    expect(indexed).toHaveBeenCalledTimes(1)
    expect(fed).toHaveBeenCalledTimes(1)
  })

  it('is not repeated once it went well', async () => {
    const { attempt, indexed, fed, comesUp } = await setUp()
    comesUp()
    await attempt()
    vi.advanceTimersByTime(600_000)
    await attempt()
    expect(indexed).toHaveBeenCalledTimes(1)
    expect(fed).toHaveBeenCalledTimes(1)
  })
})
