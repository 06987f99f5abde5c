import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { silentLog } from '@secretary-mcp/core/log.ts'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../../../../../test/support/temporary-folder.ts'
import type { DialogClaim, KeptDialog } from '../kept-store.ts'
import { sqliteKeptStore } from './sqlite-kept-store.ts'

type Facts = Omit<DialogClaim, 'key'>

const SOLE: Facts = { mine: 'there', isOthers: false, isInOwnFolder: true }
const named = (key: string) => ({ key, sessionId: key, source: 'codex' as const })
const kept = (key: string): KeptDialog => ({
  dialog: {
    ...named(key),
    ...{ firstSeen: 1, lastSeen: 1, requestsCount: 1, status: 'completed', size: 1, mtimeMs: 1 },
    reading: { sessionId: key, status: 'completed', marks: [], offset: 0 },
  },
  turns: [],
  deeds: [],
})

/** A file of an earlier version with these dialogs in it, and what speaks for whose each is. */
async function earlier(facts: Readonly<Record<string, Facts>>, forgotten: readonly string[] = []) {
  const folder = temporaryFolder()
  const path = join(folder, 'kept.db')
  const all = sqliteKeptStore(path, silentLog)
  for (const key of Object.keys(facts)) await all.save(kept(key))
  await all.forget(forgotten.map(named))
  await all.close()
  const claims = async (keys: readonly string[]) =>
    keys.map((key) => ({ key, ...(facts[key] ?? { isOthers: false, isInOwnFolder: false }) }))
  const own = () => {
    const store = sqliteKeptStore(join(folder, 'ada', 'kept.db'), silentLog, { path, claims })
    onTestFinished(() => store.close())
    return store
  }
  const left = async () => {
    if (!existsSync(path)) return 'no file'
    const rest = sqliteKeptStore(path, silentLog)
    const keys = [...(await rest.stamps()).keys()].sort()
    await rest.close()
    return keys
  }
  return { own, left, path }
}

it('takes what two of three signs say is the user’s, and leaves what others may claim', async () => {
  const { own, left } = await earlier({
    sole: SOLE,
    'index lost': { ...SOLE, mine: undefined },
    'folder moved': { ...SOLE, isInOwnFolder: false },
    'of both': { ...SOLE, isOthers: true },
    'from others': { mine: 'there', isOthers: true, isInOwnFolder: false },
    'theirs, in the same folder': { isOthers: true, isInOwnFolder: true },
    'of nobody known': { isOthers: false, isInOwnFolder: false },
    'deleted since': { ...SOLE, mine: 'removed' },
  })
  const taken = [...(await own().stamps()).keys()].sort()
  expect(taken).toEqual(['folder moved', 'index lost', 'of both', 'sole'])
  expect(await left()).toEqual([
    'from others',
    'of both',
    'of nobody known',
    'theirs, in the same folder',
  ])
})

it('begins again where a process was killed between the copy and what it removes', async () => {
  const { own, left, path } = await earlier({ a: SOLE, b: SOLE })
  copyFileSync(path, `${path}.before`)
  const first = own()
  expect((await first.stamps()).size).toBe(2)
  await first.forget([named('b')])
  await first.close()
  expect(await left()).toBe('no file')
  copyFileSync(`${path}.before`, path)
  const again = own()
  expect([...(await again.stamps()).keys()]).toEqual(['a'])
  expect(await again.isForgotten(named('b'))).toBe(true)
  expect(await left()).toBe('no file')
})

it('keeps forgotten what was forgotten, also where no index knows it any more', async () => {
  const { own, left } = await earlier({ a: SOLE }, ['x'])
  expect(await own().isForgotten(named('x'))).toBe(true)
  expect(await left()).toEqual([])
})

it('moves nothing into memory, and nothing out of a file that cannot be read', async () => {
  const { own, left, path } = await earlier({ a: SOLE })
  mkdirSync(join(path, '..', 'ada', 'kept.db'), { recursive: true })
  expect((await own().stamps()).size).toBe(0)
  expect(await left()).toEqual(['a'])
  const other = await earlier({ a: SOLE })
  writeFileSync(other.path, 'this is not a database, but it is longer than a page'.repeat(100))
  expect((await other.own().stamps()).size).toBe(0)
  expect(readdirSync(dirname(other.path)).join()).toContain('kept.db.damaged-')
})
