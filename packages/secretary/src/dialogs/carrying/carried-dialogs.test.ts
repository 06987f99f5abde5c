import { execFileSync } from 'node:child_process'
import { rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryOf } from '@secretary-mcp/core/files/repository.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { deedsHouse } from '../../../../../test/support/deeds-house.ts'
import { line, noSignal } from '../../../../../test/support/dialogs-service.ts'
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts'
import { sqliteKeptStore } from '../keeping/store/sqlite-kept-store.ts'
import { CarriedDialogs } from './carried-dialogs.ts'

const log = { trace() {}, debug() {}, info() {}, error() {}, warn() {} }
const SECRET = `ghp_${'a1B2c3D4'.repeat(5).slice(0, 36)}`

function machine(host: string, { keepDays = 730 } = {}) {
  const kept = sqliteKeptStore(join(temporaryFolder(), 'kept.db'), log)
  onTestFinished(() => kept.close())
  const under = deedsHouse({ kept, keepDays })
  const { dialogs, caller, deeds, home } = under
  const { store, index } = dialogs
  const forget = dialogs.forget.bind(dialogs)
  const carried = new CarriedDialogs({ store, index, deeds, kept, keepDays, host, forget })
  return {
    ...under,
    kept,
    carried,
    publish(url = 'git@git.example.com:acme/shop.git') {
      execFileSync('git', ['init', '--quiet', home.project])
      execFileSync('git', ['-C', home.project, 'remote', 'add', 'origin', url])
    },
    /** The person says that all clones of this project are one. */
    async confirm() {
      index.invalidate()
      await dialogs.ready(caller, noSignal)
      const own = repositoryOf(home.project)
      for (const { repository } of await dialogs.deeds.otherClones(home.project))
        if (own) dialogs.deeds.sameProjects?.confirm(own, repository)
    },
    async own() {
      index.invalidate()
      await dialogs.ready(caller, noSignal)
      return carried.own()
    },
    async listed() {
      index.invalidate()
      const page = { everywhere: false, limit: 50, offset: 0 }
      const { value } = await dialogs.listDialogs(caller, page, noSignal)
      return value?.dialogs.map(({ sessionId, project }) => ({ sessionId, project })) ?? []
    },
  }
}

async function carry(from: ReturnType<typeof machine>, to: ReturnType<typeof machine>) {
  const taken: boolean[] = []
  for (const { id } of await from.own()) {
    const packed = await from.carried.pack(id)
    if (packed) taken.push(await to.carried.take(id, JSON.parse(JSON.stringify(packed.body))))
  }
  return taken
}

describe('a dialog of another machine', () => {
  it('counts as this project’s once the person says that both are clones of one, and names the machine of its folder', async () => {
    const [a, b] = [machine('laptop'), machine('desktop')]
    for (const one of [a, b]) one.publish()
    a.home.claude('cc-deeds.jsonl', a.home.sample('claude-code/deeds.jsonl'))
    expect(await carry(a, b)).toEqual([true])
    expect(await b.listed()).toEqual([])
    await b.confirm()
    expect(await b.listed()).toEqual([
      { sessionId: 'cc-deeds', project: `laptop:${a.home.project}` },
    ])
    expect(await b.own()).toEqual([])
    expect(await b.deedsOf('cc-deeds')).toEqual(await a.deedsOf('cc-deeds'))
    const { value } = await b.dialogs.getRequest(b.caller, 1, 'cc-deeds', noSignal)
    expect(value).toMatchObject({ request: 'Greet people by name. Add a test for it.' })
  })

  it('is known by its folder where it is published nowhere, and by nothing but its address where it is', async () => {
    for (const isPublished of [false, true]) {
      const [a, b] = [machine('laptop'), machine('desktop')]
      if (isPublished) a.publish()
      b.publish('git@git.example.com:acme/another.git')
      a.home.claude('cc-main.jsonl')
      const [own] = await a.own()
      const { body } = (await a.carried.pack(own?.id ?? '')) ?? {}
      // As if both machines had a folder of this name.
      const there = JSON.stringify(body).replaceAll(a.home.project, b.home.project)
      expect(await b.carried.take(own?.id ?? '', JSON.parse(there))).toBe(true)
      const sessions = (await b.listed()).map(({ sessionId }) => sessionId)
      expect(sessions).toEqual(isPublished ? [] : ['cc-main'])
    }
  })

  it('keeps its place when the index of deeds is read anew', async () => {
    const [a, b] = [machine('laptop'), machine('desktop')]
    for (const one of [a, b]) one.publish()
    a.home.claude('cc-deeds.jsonl', a.home.sample('claude-code/deeds.jsonl'))
    await carry(a, b)
    const before = await b.deeds.places()
    await b.deeds.forget([...(await b.deeds.known())])
    const later = b.again()
    await later.ready(b.caller, noSignal)
    expect(await b.deeds.places()).toEqual(before)
    expect(before[0]?.repository?.origin).toBe('git.example.com/acme/shop')
  })

  it('is not taken where its own file is here, where it was forgotten, or where it is too old', async () => {
    const [a, b, c, d] = [
      machine('laptop'),
      machine('desktop'),
      machine('tower'),
      machine('attic', { keepDays: 0 }),
    ]
    a.home.claude('mine.jsonl', line('hello'))
    b.home.claude('mine.jsonl', line('hello'))
    await b.own()
    expect(await carry(a, b)).toEqual([false])
    expect(await c.carried.forget('claude-code/mine')).toBe(false)
    expect(await carry(a, c)).toEqual([false])
    expect(await c.carried.forgotten()).toEqual(['claude-code/mine'])
    expect(await carry(a, d)).toEqual([false])
  })

  it('is there once where two machines have its file, and gives way to the file itself', async () => {
    const [a, b, c] = [machine('laptop'), machine('desktop'), machine('tower')]
    const cwd = { cwd: c.home.project }
    a.home.claude('mine.jsonl', line('hello', cwd))
    b.home.claude('mine.jsonl', line('hello', cwd) + line('again', cwd))
    const later = new Date(Date.now() + 5_000)
    utimesSync(join(b.home.claudeFolder(), 'mine.jsonl'), later, later)
    expect([await carry(a, c), await carry(b, c), await carry(a, c)]).toEqual([
      [true],
      [true],
      [false],
    ])
    expect(await c.listed()).toEqual([{ sessionId: 'mine', project: c.home.project }])
    const { value } = await c.dialogs.getRequest(c.caller, 2, 'mine', noSignal)
    expect(value?.request).toBe('again')
    c.home.claude('mine.jsonl', line('hello', cwd))
    await c.own()
    expect(await c.listed()).toHaveLength(1)
    expect((await c.kept.stamps()).size).toBe(0)
  })

  it('is forgotten here by its session, with what was kept and done in it', async () => {
    const [a, b] = [machine('laptop'), machine('desktop')]
    a.home.claude('cc-deeds.jsonl', a.home.sample('claude-code/deeds.jsonl'))
    await carry(a, b)
    expect(await b.carried.forget('claude-code/cc-deeds')).toBe(true)
    expect([await b.listed(), await b.deedsOf('cc-deeds')]).toEqual([[], []])
    expect((await b.kept.stamps()).size).toBe(0)
    expect(await carry(a, b)).toEqual([false])
  })

  it('says when the person has deleted its file', async () => {
    const a = machine('laptop')
    const path = a.home.claude('gone.jsonl', line('hello'))
    expect(await a.own()).toMatchObject([{ isRemoved: false }])
    rmSync(path)
    expect(await a.own()).toMatchObject([{ isRemoved: true }])
  })

  it('leaves without secrets, and what is no dialog is not taken', async () => {
    const [a, b] = [machine('laptop'), machine('desktop')]
    a.home.claude('s.jsonl', line(`use ${SECRET} for it`))
    const [own] = await a.own()
    const packed = JSON.stringify(await a.carried.pack(own?.id ?? ''))
    expect(packed).toContain('for it')
    expect(packed).not.toContain(SECRET)
    for (const wrong of [undefined, 7, {}, { host: 'x', dialog: { dialog: {}, turns: [] } }])
      expect(await b.carried.take('x', wrong)).toBe(false)
  })
})
