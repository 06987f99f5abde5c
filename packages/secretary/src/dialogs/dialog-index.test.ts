import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { Failure } from '@secretary-mcp/core/failure.ts'
import type { Source } from '@secretary-mcp/transcripts/source.ts'
import { describe, expect, it } from 'vitest'
import {
  dialogsUnderTest,
  line,
  noSignal,
  requestsNow,
} from '../../../../test/support/dialogs-service.ts'

describe('the index', () => {
  it('names a source that fails, and answers from the others', async () => {
    const denied = () => Promise.reject(Object.assign(new Error('denied'), { code: 'EACCES' }))
    const found = { key: '/x', path: '/x', size: 1, mtimeMs: 1 }
    const good = dialogsUnderTest()
    const bad = {
      ...good.dialogs.index.sourceOf({ source: 'codex' }),
      name: 'codex',
      list: async () => [found],
      read: denied,
    } as Source
    const claude = good.dialogs.index.sourceOf({ source: 'claude-code' }) as Source
    good.home.claude()
    const dialogs = good.again({ sources: [bad, claude] })
    expect(
      (await dialogs.listDialogs(good.caller, { everywhere: true, limit: 10, offset: 0 }, noSignal))
        .value?.total,
    ).toBe(1)
    expect(good.warnings).toContainEqual({ path: '/x', why: 'cannot be read (EACCES)' })
  })

  it('goes on after a restart without reading what it knows', async () => {
    const under = dialogsUnderTest()
    const path = under.home.claude()
    await requestsNow(under, 'cc-main')
    const read: string[] = []
    const claude = under.dialogs.index.sourceOf({ source: 'claude-code' }) as Source
    const counting: Source = {
      ...claude,
      read: (found, known, context) => {
        read.push(`${found.path} from ${known?.offset}`)
        return claude.read(found, known, context)
      },
    }
    const later = under.again({ sources: [counting] })
    expect((await later.getRequest(under.caller, 1, undefined, noSignal)).success).toBe(true)
    expect(read).toEqual([])
    const size = statSync(path).size
    appendFileSync(path, line('more'))
    expect((await later.getRequest(under.caller, 5, undefined, noSignal)).value?.request).toBe(
      'more',
    )
    expect(read).toEqual([`${path} from ${size}`])
  })

  it('reads a file anew that was rewritten under it, even with the same size and time', async () => {
    const under = dialogsUnderTest()
    const path = under.home.claude('a.jsonl', line('one') + line('second'))
    await requestsNow(under, 'a')
    const { atime, mtime } = statSync(path)
    writeFileSync(path, line('first') + line('last'))
    utimesSync(path, atime, mtime)
    expect((await under.dialogs.getRequest(under.caller, 2, 'a', noSignal)).value?.request).toBe(
      'last',
    )
  })

  it('gives what feeds on dialogs one that came late, however old its file says it is', async () => {
    const under = dialogsUnderTest()
    const fed = async (since: number) => {
      under.dialogs.index.invalidate()
      const seen: string[] = []
      for await (const { request } of under.dialogs.turnsOfProject(under.caller, since, noSignal))
        seen.push(request)
      return seen
    }
    under.home.claude('a.jsonl', line('one', { cwd: under.home.project }))
    expect(await fed(0)).toEqual(['one'])
    const before = await under.dialogs.latestChange(under.caller, noSignal)
    const copied = under.home.claude(
      'b.jsonl',
      line('from another machine', { cwd: under.home.project }),
    )
    utimesSync(copied, new Date('2026-01-01'), new Date('2026-01-01'))
    expect(await fed(before + 1)).toEqual(['from another machine'])
  })

  it('tells what feeds on dialogs which ones went, but not those that only moved', async () => {
    const under = dialogsUnderTest()
    const gone = (since: number) => {
      under.dialogs.index.invalidate()
      return under.dialogs.goneOfProject(under.caller, since, noSignal)
    }
    const path = under.home.claude('a.jsonl', line('one', { cwd: under.home.project }))
    const moving = under.home.claude('b.jsonl', line('two', { cwd: under.home.project }))
    expect(await gone(0)).toEqual([])
    const before = await under.dialogs.latestChange(under.caller, noSignal)
    rmSync(path)
    const folder = under.home.path('.claude', 'projects', 'another-slug')
    mkdirSync(folder)
    renameSync(moving, join(folder, 'b.jsonl'))
    expect(await gone(before + 1)).toEqual(['a'])
    const after = await under.dialogs.latestChange(under.caller, noSignal)
    expect(await gone(after + 1)).toEqual([])
  })

  it('fills a database anew that was taken away from under it', async () => {
    const under = dialogsUnderTest()
    under.home.claude()
    expect(await requestsNow(under, 'cc-main')).toHaveLength(4)
    rmSync(under.home.path('.secretary'), { recursive: true })
    await under.dialogs.find(under.caller, undefined, noSignal)
    expect(await requestsNow(under, 'cc-main')).toHaveLength(4)
  })

  it('walks over a dialog whose file is gone', async () => {
    const under = dialogsUnderTest()
    under.home.everything()
    const gone = under.home.claude('gone.jsonl', line('gone', { cwd: under.home.project }))
    await requestsNow(under, 'gone')
    rmSync(gone)
    const seen = new Set<string>()
    for await (const { sessionId } of under.dialogs.turnsOfProject(under.caller, 0, noSignal))
      seen.add(sessionId)
    expect(seen.has('gone')).toBe(false)
    expect(seen.size).toBeGreaterThan(10)
  })

  it('says what changed, by itself, while it watches', async () => {
    const { home, dialogs } = dialogsUnderTest()
    const path = home.claude()
    const seen: number[] = []
    const changed = (count: number) =>
      new Promise<void>((resolve) => {
        const stop = dialogs.onChange(({ requestsCount }) => {
          seen.push(requestsCount)
          if (requestsCount !== count) return
          stop()
          resolve()
        })
      })
    const first = changed(4)
    dialogs.watch()
    await first
    const second = changed(5)
    appendFileSync(path, line('more'))
    await second
    expect(seen).toEqual([4, 5])
  })

  it('writes nothing into the agents’ own folders', async () => {
    const under = dialogsUnderTest()
    under.home.everything()
    const state = () =>
      (readdirSync(under.home.home, { recursive: true }) as string[])
        .filter((path) => !path.startsWith('.secretary'))
        .map(
          (path) =>
            `${path} ${statSync(under.home.path(path)).mtimeMs} ${statSync(under.home.path(path)).size}`,
        )
    const before = state()
    const { value } = await under.dialogs.listDialogs(
      under.caller,
      { everywhere: true, limit: 100, offset: 0 },
      noSignal,
    )
    for (const { sessionId } of value?.dialogs ?? []) await requestsNow(under, sessionId)
    expect(value?.total).toBeGreaterThan(14)
    expect(state()).toEqual(before)
  })

  it('reads a database that its program has open, without holding it up', async () => {
    const under = dialogsUnderTest()
    const path = under.home.cursor()
    const owner = new DatabaseSync(path)
    owner.exec('pragma journal_mode=wal')
    owner.exec('begin immediate')
    owner
      .prepare('insert into cursorDiskKV values (?, ?)')
      .run('bubbleId:cur-1:b4', '{"type":1,"text":"not yet"}')
    expect(await requestsNow(under, 'cur-1')).toHaveLength(2)
    owner.exec('commit')
    const composer = JSON.parse(under.home.sample('cursor/rows.json'))['composerData:cur-1']
    composer.fullConversationHeadersOnly.push({ bubbleId: 'b4', type: 1 })
    owner
      .prepare('insert into cursorDiskKV values (?, ?)')
      .run('composerData:cur-1', JSON.stringify(composer))
    expect(await requestsNow(under, 'cur-1')).toEqual([
      'Retry the upload three times',
      'With a growing delay',
      'not yet',
    ])
    owner.close()
  })

  it('D8 is unavailable for a moment where its storage is', async () => {
    const under = dialogsUnderTest()
    const store = {
      stamps: () => Promise.reject(new Failure('storage_busy', 'The database is busy')),
    }
    const dialogs = under.again({ store: store as never })
    await expect(dialogs.getRequest(under.caller, 1, undefined, noSignal)).rejects.toMatchObject({
      errorType: 'storage_busy',
    })
  })
})
