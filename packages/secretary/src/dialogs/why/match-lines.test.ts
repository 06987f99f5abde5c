import { printOf } from '@secretary-mcp/transcripts/deeds/changed-lines.ts'
import { describe, expect, it } from 'vitest'
import { type MadeCommit, matchHere, matchMoved, presentLines } from './match-lines.ts'
import { fillGaps } from './why.ts'

const HOUR_MS = 3_600_000
const LINES = ['export const first = compute(1)', 'export const second = compute(2)']
const committedMs = Date.parse('2026-02-10T12:00:00Z')
const blamed = { commit: 'c'.repeat(40), authoredMs: committedMs, committedMs }

async function owners(
  hoursBefore: number,
  commits: readonly MadeCommit[],
): Promise<(string | undefined)[]> {
  const lines = presentLines(LINES, [blamed, blamed])
  const edit = {
    request: 'b#1',
    time: committedMs - hoursBefore * HOUR_MS,
    came: LINES.map(printOf),
  }
  return fillGaps(lines, await matchHere(lines, [edit], commits)).map((match) => match?.request)
}

describe('lines that lay uncommitted', () => {
  const byOther = { sessionId: 'a', time: committedMs }

  it('belong to nobody where their session committed nothing and another did, days later', async () => {
    expect(await owners(72, [byOther])).toEqual([undefined, undefined])
  })

  it('belong to whoever wrote them shortly before the commit, whoever made it', async () => {
    expect(await owners(2, [byOther])).toEqual(['b#1', 'b#1'])
  })

  it('belong to their session where it committed them, under whatever hash, or where nobody commits', async () => {
    const own = { sessionId: 'b', time: committedMs - 71 * HOUR_MS }
    expect(await owners(72, [byOther, own])).toEqual(['b#1', 'b#1'])
    expect(await owners(72, [])).toEqual(['b#1', 'b#1'])
  })
})

describe('lines that were written in another file', () => {
  async function moved(hoursBefore: number, commits: readonly MadeCommit[] = []) {
    const lines = presentLines(LINES, [blamed, blamed])
    const edit = {
      request: 'b#1',
      time: committedMs - hoursBefore * HOUR_MS,
      came: LINES.map(printOf),
    }
    return (await matchMoved(lines, [edit], commits)).map((match) => match?.request)
  }
  const made = (sessionId: string) => ({ sessionId, time: committedMs, sha: 'c'.repeat(8) })

  it('were moved by whoever wrote them shortly before, if nobody else made the commit', async () => {
    expect(await moved(2)).toEqual(['b#1', 'b#1'])
    expect(await moved(2, [made('b')])).toEqual(['b#1', 'b#1'])
  })

  it('were copied by somebody else if another session made the commit, or days later', async () => {
    expect(await moved(2, [made('a')])).toEqual([undefined, undefined])
    expect(await moved(72)).toEqual([undefined, undefined])
  })
})
