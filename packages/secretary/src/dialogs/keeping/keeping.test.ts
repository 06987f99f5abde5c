import { appendFileSync, mkdirSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type DeedsHouse, deedsHouse } from '../../../../../test/support/deeds-house.ts'
import { line, noSignal } from '../../../../../test/support/dialogs-service.ts'
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts'
import type { DialogParts } from '../dialogs.ts'
import { dialogsToForget } from './forget-dialogs.ts'
import { sqliteKeptStore } from './store/sqlite-kept-store.ts'

const log = { trace() {}, debug() {}, info() {}, error() {}, warn() {} }
const DAY_MS = 86_400_000

interface House extends DeedsHouse {
  list(): Promise<{ sessionId: string; fileGone?: true }[]>
  /** As a tool answers: the words, or the error. */
  ask(sessionId: string, index?: number): Promise<unknown>
  forget(sessionId: string): Promise<void>
}

function house(parts: Partial<DialogParts> = {}): House {
  const kept = sqliteKeptStore(join(temporaryFolder(), 'kept.db'), log)
  onTestFinished(() => kept.close())
  const under = deedsHouse({ kept, keepDays: 730, ...parts })
  const { dialogs, caller } = under
  return {
    ...under,
    async list() {
      dialogs.index.invalidate()
      const page = { everywhere: true, limit: 50, offset: 0 }
      return (await dialogs.listDialogs(caller, page, noSignal)).value?.dialogs ?? []
    },
    async ask(sessionId, index = 1) {
      dialogs.index.invalidate()
      const asked = dialogs.getRequest(caller, index, sessionId, noSignal)
      return asked.then(({ value }) => value?.request).catch((error: Error) => error.message)
    },
    async forget(sessionId) {
      await dialogs.forget(await dialogsToForget(dialogs, caller, { sessionId }, noSignal))
    },
  }
}

function age(path: string, days: number): string {
  const then = new Date(Date.now() - days * DAY_MS)
  utimesSync(path, then, then)
  return path
}

/** A file of Claude Code that was last written so many days ago. */
function old({ home }: House, days: number, name = 'cc-main.jsonl', content?: string): string {
  return age(home.claude(name, content), days)
}

describe('a dialog whose file is gone', () => {
  it('stays, with every word, every answer and every deed, where its agent has cleaned up', async () => {
    const under = house()
    const path = age(
      under.home.claude('cc-deeds.jsonl', under.home.sample('claude-code/deeds.jsonl')),
      40,
    )
    const before = {
      request: await under.ask('cc-deeds'),
      deeds: await under.deedsOf('cc-deeds'),
      turns: await turnsOf(under, 'cc-deeds'),
    }
    expect(before.deeds.length).toBeGreaterThan(3)
    rmSync(path)
    expect(await under.list()).toMatchObject([{ sessionId: 'cc-deeds', fileGone: true }])
    expect(await under.ask('cc-deeds')).toBe(before.request)
    expect(await under.deedsOf('cc-deeds')).toEqual(before.deeds)
    expect(await turnsOf(under, 'cc-deeds')).toEqual(before.turns)
    const found = await under.dialogs.getRequest(under.caller, 1, 'cc-deeds', noSignal)
    expect(found.value).toMatchObject({ fileGone: true })
  })

  it('is answered for in the very next call, before the next look at the disk', async () => {
    const under = house()
    const path = old(under, 40)
    const { dialogs, caller } = under
    const get = async () => (await dialogs.getRequest(caller, 1, 'cc-main', noSignal)).value
    const { request } = (await get()) ?? {}
    rmSync(path)
    expect(await get()).toMatchObject({ request, fileGone: true })
  })

  it('goes with everything where it was too young for its agent to clean up', async () => {
    const under = house()
    const path = old(under, 20)
    expect(await under.ask('cc-main')).toContain('log in')
    rmSync(path)
    expect(await under.list()).toEqual([])
    expect(await under.ask('cc-main')).toBe('Chat data not available for session')
    expect(await under.deedsOf('cc-main')).toEqual([])
    expect(await turnsOf(under, 'cc-main')).toEqual([])
    expect(await under.dialogs.goneOfProject(under.caller, 0, noSignal)).toEqual(['cc-main'])
  })

  it.each([
    [10, 12, true],
    [90, 40, false],
  ])('with cleanupPeriodDays %d and %d days of age is kept: %s', async (setting, days, isKept) => {
    const under = house()
    under.home.write(
      under.home.path('.claude', 'settings.json'),
      JSON.stringify({ cleanupPeriodDays: setting }),
    )
    const path = old(under, days)
    await under.list()
    rmSync(path)
    expect(await under.list()).toHaveLength(isKept ? 1 : 0)
  })

  it('of an agent that never cleans up was deleted by the person, however old it is', async () => {
    const under = house()
    const path = age(under.home.codex(), 200)
    expect(await under.list()).toHaveLength(1)
    rmSync(path)
    expect(await under.list()).toEqual([])
  })

  it('is not taken for deleted while the whole folder is away, and is read again when it is back', async () => {
    const under = house()
    old(under, 2)
    const words = await under.ask('cc-main')
    const root = under.home.path('.claude', 'projects')
    renameSync(root, `${root}-away`)
    expect(await under.list()).toMatchObject([{ sessionId: 'cc-main', fileGone: true }])
    renameSync(`${root}-away`, root)
    const [back] = await under.list()
    expect(back?.fileGone).toBeUndefined()
    expect(await under.ask('cc-main')).toBe(words)
  })

  it('is found by search, told by the ledger and recalled', async () => {
    const under = house()
    const path = age(
      under.home.claude('cc-deeds.jsonl', under.home.sample('claude-code/deeds.jsonl')),
      40,
    )
    const { dialogs, caller } = under
    const answers = async () => {
      dialogs.index.invalidate()
      const query = { query: 'greet people by name', limit: 5 }
      return {
        found: (await dialogs.searchRequests(caller, query, noSignal)).value?.results,
        ledger: (
          await dialogs.deeds.ledger(
            caller,
            { sessionId: 'cc-deeds', limit: 5, offset: 0 },
            noSignal,
          )
        ).value?.entries,
        first: (await dialogs.recall(caller, { sessionId: 'cc-deeds', budget: 1500 }, noSignal))
          .value,
      }
    }
    const before = await answers()
    rmSync(path)
    const after = await answers()
    expect(before.found?.length).toBeGreaterThan(0)
    expect(after.found).toEqual(before.found)
    expect(after.ledger).toEqual(before.ledger)
    expect(after.first?.firstRequest).toEqual(before.first?.firstRequest)
  })

  it('is kept without the secrets that were in it', async () => {
    const under = house()
    const secret = `sk-ant-${'a1B2'.repeat(8)}`
    const path = old(under, 40, 'a.jsonl', line(`Use ${secret} here`, { cwd: under.home.project }))
    expect(await under.ask('a')).toContain(secret)
    rmSync(path)
    expect(await under.ask('a')).toBe('Use [redacted:api-key] here')
  })

  it('stays through the loss of the other indexes', async () => {
    const kept = sqliteKeptStore(join(temporaryFolder(), 'kept.db'), log)
    onTestFinished(() => kept.close())
    const first = house({ kept })
    const path = first.home.claude('cc-deeds.jsonl', first.home.sample('claude-code/deeds.jsonl'))
    age(path, 40)
    const deeds = await first.deedsOf('cc-deeds')
    const words = await first.ask('cc-deeds')
    rmSync(path)
    await first.list()
    const second = deedsHouse({
      kept,
      keepDays: 730,
      sources: [first.dialogs.index.sourceOf({ source: 'claude-code' })].filter((one) => !!one),
    })
    expect(await second.deedsOf('cc-deeds')).toEqual(deeds)
    const { caller, dialogs } = second
    const again = await dialogs.getRequest(caller, 1, 'cc-deeds', noSignal)
    expect(again.value).toMatchObject({ request: words, fileGone: true })
  })

  it.each([0, 30])('is not kept for longer than %d days', async (keepDays) => {
    const under = house({ keepDays })
    const path = old(under, 40)
    await under.list()
    rmSync(path)
    expect(await under.list()).toEqual([])
    expect(await under.ask('cc-main')).toBe('Chat data not available for session')
  })

  it('leaves no listener behind, however many are kept', async () => {
    const warnings: string[] = []
    const note = ({ name }: Error) => warnings.push(name)
    process.on('warning', note)
    onTestFinished(() => void process.off('warning', note))
    const kept = sqliteKeptStore(join(temporaryFolder(), 'kept.db'), log)
    onTestFinished(() => kept.close())
    const under = house({ kept })
    const about = (sessionId: string) => ({ cwd: under.home.project, sessionId })
    for (let at = 0; at < 14; at++) old(under, 2, `s${at}.jsonl`, line('Do it', about(`s${at}`)))
    expect(await under.list()).toHaveLength(14)
    await expect.poll(async () => (await kept.stamps()).size).toBe(14)
    expect(warnings).toEqual([])
  })

  it('goes when its days are over', async () => {
    const under = house()
    const path = old(under, 40)
    await under.list()
    rmSync(path)
    expect(await under.list()).toHaveLength(1)
    const later = under.again({ keepDays: 35 })
    const page = { everywhere: true, limit: 50, offset: 0 }
    expect((await later.listDialogs(under.caller, page, noSignal)).value?.total).toBe(0)
  })
})

describe('a forgotten dialog', () => {
  it('does not come back although its file is there, grows, moves or has helpers', async () => {
    const under = house()
    const path = under.home.claude('a.jsonl', line('my words', { cwd: under.home.project }))
    under.home.claude('b.jsonl', line('other words', { cwd: under.home.project }))
    await under.list()
    await under.forget('a')
    expect(await under.ask('a')).toBe('Session not found: a')
    appendFileSync(path, line('more'))
    expect(await under.list()).toMatchObject([{ sessionId: 'b' }])
    under.home.write(
      join(dirname(path), 'a', 'subagents', 'agent-1.jsonl'),
      line('helper', { parentUuid: null, sessionId: 'a', cwd: under.home.project }),
    )
    mkdirSync(under.home.path('.claude', 'projects', 'elsewhere'))
    renameSync(path, under.home.path('.claude', 'projects', 'elsewhere', 'a.jsonl'))
    expect(await under.list()).toMatchObject([{ sessionId: 'b' }])
    expect(await under.deedsOf('a')).toEqual([])
    expect(await under.dialogs.goneOfProject(under.caller, 0, noSignal)).toEqual(['a'])
  })

  it('is forgotten by another process too, at once and while the file grows', async () => {
    const under = house()
    const path = under.home.claude('a.jsonl', line('my words', { cwd: under.home.project }))
    await under.list()
    const other = under.again()
    const page = { everywhere: true, limit: 50, offset: 0 }
    const seen = async () => {
      other.index.invalidate()
      return (await other.listDialogs(under.caller, page, noSignal)).value?.total
    }
    expect(await seen()).toBe(1)
    await under.forget('a')
    appendFileSync(path, line('more'))
    expect(await seen()).toBe(0)
    expect(await under.list()).toEqual([])
  })

  it('is forgotten also where only kept words were left', async () => {
    const under = house()
    const path = old(under, 40)
    await under.list()
    rmSync(path)
    expect(await under.list()).toHaveLength(1)
    await under.forget('cc-main')
    expect(await under.list()).toEqual([])
    expect(await under.ask('cc-main')).toBe('Session not found: cc-main')
  })

  it('is one of a project, or of those before a day', async () => {
    const under = house()
    const at = (time: string) => ({ cwd: under.home.project, timestamp: time })
    under.home.claude('early.jsonl', line('one', at('2026-01-01T00:00:00Z')))
    under.home.claude('late.jsonl', line('two', at('2026-03-01T00:00:00Z')))
    under.home.claude('other.jsonl', line('three', { ...at('2026-01-01T00:00:00Z'), cwd: '/x' }))
    const { dialogs, caller } = under
    const chosen = async (wanted: Parameters<typeof dialogsToForget>[2]) =>
      (await dialogsToForget(dialogs, caller, wanted, noSignal))
        .map(({ sessionId }) => sessionId)
        .sort()
    expect(await chosen({ isProject: true })).toEqual(['early', 'late'])
    expect(await chosen({ before: Date.parse('2026-02-01') })).toEqual(['early', 'other'])
    expect(await chosen({ isProject: true, before: Date.parse('2026-02-01') })).toEqual(['early'])
  })
})

async function turnsOf({ dialogs, caller }: House, sessionId: string): Promise<unknown[]> {
  dialogs.index.invalidate()
  const dialog = await dialogs.find(caller, sessionId, noSignal)
  const turns = []
  if (dialog) for await (const turn of dialogs.texts.turns(dialog)) turns.push(turn)
  return turns
}
