import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Source } from '@secretary-mcp/transcripts/source.ts'
import { describe, expect, it } from 'vitest'
import { deedsHouse } from '../../../../../test/support/deeds-house.ts'
import { dialogsUnderTest, line, noSignal } from '../../../../../test/support/dialogs-service.ts'
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts'
import { sqliteDeedStore } from '../deeds/store/sqlite-deed-store.ts'
import type { Dialogs } from '../dialogs.ts'

const SECRET = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_')
const log = { trace() {}, debug() {}, info() {}, error() {}, warn() {} }

describe('a search for requests by their words', () => {
  it('finds the same whether words were kept or are read from the files', async () => {
    const kept = deedsHouse()
    const unkept = dialogsUnderTest()
    for (const { home } of [kept, unkept]) {
      home.everything()
      for (const agent of ['cline-cli', 'continue', 'droid', 'kilo', 'kimi', 'pi', 'qwen-code'])
        home.real(agent)
      home.specstory()
    }
    const queries = ['dark theme', 'parser in Rust', 'the', 'upload', 'passkeys', 'test', 'words']
    for (const query of queries) {
      const found = await search(kept.dialogs, kept, query)
      expect(found).toEqual(await search(unkept.dialogs, unkept, query))
    }
  })

  it('opens only what it shows', async () => {
    const house = deedsHouse()
    for (let n = 0; n < 12; n++)
      house.home.claude(
        `s-${n}.jsonl`,
        line(`Paint fence ${n} green`, { cwd: house.home.project, sessionId: `s-${n}` }),
      )
    await search(house.dialogs, house, 'fence')
    const opened: string[] = []
    const claude = house.dialogs.index.sourceOf({ source: 'claude-code' })
    const counting = {
      ...claude,
      text: (path, mark) => {
        opened.push(path)
        return claude?.text(path, mark) ?? Promise.resolve(undefined)
      },
    } as Source
    const fresh = house.again({ sources: [counting] })
    const found = await search(fresh, house, 'fence 7')
    expect(found[0]).toContain('Paint fence 7 green')
    expect(new Set(opened).size).toBe(found.length)
    expect(found.length).toBe(3)
  })

  it('follows a dialog that goes on and one that is written anew', async () => {
    const house = deedsHouse()
    const about = { cwd: house.home.project, sessionId: 'a' }
    const path = house.home.claude('a.jsonl', line('Paint the fence', about))
    expect(await search(house.dialogs, house, 'fence')).toHaveLength(1)
    appendFileSync(path, line('Mow the lawn', about))
    house.dialogs.index.invalidate()
    expect(await search(house.dialogs, house, 'lawn')).toEqual([
      expect.stringContaining('2 Mow the lawn'),
    ])
    expect(await search(house.again(), house, 'lawn fence')).toHaveLength(2)
    writeFileSync(path, line('Repair the gate that was broken', about))
    house.dialogs.index.invalidate()
    expect(await search(house.dialogs, house, 'lawn fence')).toEqual([])
    expect(await search(house.again(), house, 'gate')).toEqual([
      expect.stringContaining('1 Repair the gate'),
    ])
  })

  it('keeps no word of a secret', async () => {
    const folder = temporaryFolder()
    const deeds = sqliteDeedStore(join(folder, 'deeds.db'), log)
    const house = deedsHouse({ deeds })
    const about = { cwd: house.home.project, sessionId: 'a' }
    house.home.claude('a.jsonl', line(`Push the gate with ${SECRET}`, about))
    expect(await search(house.dialogs, house, 'gate')).toHaveLength(1)
    const written = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'))
    expect(written.join('\n')).toContain(' gate ')
    expect(written.join('\n').toLowerCase()).not.toContain(SECRET.slice(4, 24).toLowerCase())
    await deeds.close()
  })
})

async function search(
  dialogs: Dialogs,
  { caller }: Pick<ReturnType<typeof dialogsUnderTest>, 'caller'>,
  query: string,
): Promise<string[]> {
  const { value } = await dialogs.searchRequests(caller, { query, limit: 3 }, noSignal)
  return (value?.results ?? []).map(
    ({ source, sessionId, index, request, score }) =>
      `${source} ${sessionId} ${index} ${request} ${score}`,
  )
}
