import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dialogsUnderTest, line, noSignal } from '../../../../test/support/dialogs-service.ts'

describe('the current dialog', () => {
  const old = new Date('2026-01-01')

  it('is the newest of the project where the client keeps its dialogs, else the newest of the project', async () => {
    const { home, dialogs, caller } = dialogsUnderTest({ freshMs: 20 })
    const codex = '0199aaaa-1111-7222-8333-444455556666'
    home.codex()
    home.claude()
    const current = async (client?: string) =>
      (await dialogs.getFirstRequest({ ...caller, client }, undefined, noSignal)).value?.sessionId
    expect(await current()).toBe(codex)
    expect(await current('codex-mcp-client')).toBe(codex)
    expect(await current('claude-code')).toBe('cc-main')
    expect(await current('Visual Studio Code')).toBe(codex)
    expect(await current('something else')).toBe(codex)
  })

  it('is waited for where it is the first of its agent in the project', async () => {
    const { home, dialogs, caller } = dialogsUnderTest()
    home.claude()
    await dialogs.ready(caller, noSignal)
    const gemini = { ...caller, client: 'gemini-cli-mcp-client' }
    const asked = dialogs.getFirstRequest(gemini, undefined, noSignal)
    home.gemini('session.jsonl')
    expect((await asked).value?.sessionId).toBe('gem-jsonl')
  })

  it('of several that are open is the one written to last, as the disk is now', async () => {
    const { home, dialogs, caller } = dialogsUnderTest()
    const said = (text: string, ago: number) =>
      line(text, { cwd: home.project, timestamp: new Date(Date.now() - ago).toISOString() })
    const first = home.claude('first.jsonl', said('first', 2_000))
    const second = home.claude('second.jsonl', said('second', 1_000))
    const current = async () =>
      (await dialogs.getFirstRequest({ ...caller, client: 'claude-code' }, undefined, noSignal))
        .value?.sessionId
    expect(await current()).toBe('second')
    appendFileSync(first, said('more', 200))
    expect(await current()).toBe('first')
    appendFileSync(second, said('more', 100))
    expect(await current()).toBe('second')
  })

  it('of several that are open is the one that waits for a call', async () => {
    const { home, dialogs, caller } = dialogsUnderTest()
    const now = Date.now()
    const session = (id: string, ago: number) => ({
      ...{ id, project_id: 'p', parent_id: null, directory: home.project, title: id },
      ...{ time_created: now - ago, time_updated: now - ago },
    })
    const part = (id: string, of: string, data: object) => ({
      ...{ id, message_id: `m-${of}`, session_id: of, time_created: now, data },
    })
    const asked = (id: string) => part(`asked-${id}`, id, { type: 'text', text: id })
    const message = (id: string) => ({
      ...{ id: `m-${id}`, session_id: id, time_created: now, data: { role: 'user' } },
    })
    home.tables(
      home.path('.local', 'share', 'opencode', 'opencode.db'),
      JSON.stringify({
        session: [session('calls', 2_000), session('is idle', 1_000)],
        message: [message('calls'), message('is idle')],
        part: [
          ...[asked('calls'), asked('is idle')],
          part('call', 'calls', { type: 'tool', state: { status: 'running' } }),
        ],
      }),
    )
    const { value } = await dialogs.getFirstRequest(
      { ...caller, client: 'opencode' },
      undefined,
      noSignal,
    )
    expect(value?.sessionId).toBe('calls')
  })

  it('is the one that the client told', async () => {
    const under = dialogsUnderTest()
    under.home.everything()
    const told = under.again({ session: 'gem-json' })
    expect((await told.getFirstRequest(under.caller, undefined, noSignal)).value?.sessionId).toBe(
      'gem-json',
    )
    const { value } = await under.dialogs.getFirstRequest(
      { ...under.caller, session: 'cur-1' },
      undefined,
      noSignal,
    )
    expect(value?.sessionId).toBe('cur-1')
    const unknown = under.again({ session: 'not written yet' })
    expect((await unknown.getFirstRequest(under.caller, undefined, noSignal)).success).toBe(true)
  })

  it('is waited for where the agent says which it is, and nothing has reached the disk', async () => {
    const { home, dialogs, caller } = dialogsUnderTest()
    home.claude()
    const own = { ...caller, dialog: 'fresh' }
    const first = async () => (await dialogs.getFirstRequest(own, undefined, noSignal)).value
    await dialogs.listDialogs(caller, { everywhere: true, limit: 1, offset: 0 }, noSignal)
    const asked = first()
    const path = home.claude('fresh.jsonl', '')
    appendFileSync(path, line('just typed', { cwd: home.project }))
    expect(await asked).toMatchObject({ sessionId: 'fresh', firstRequest: 'just typed' })
  })

  it('is no other where the one that the agent names never comes', async () => {
    const { home, dialogs, caller } = dialogsUnderTest({ freshMs: 1 })
    home.claude()
    const own = { ...caller, dialog: 'fresh' }
    await expect(dialogs.getFirstRequest(own, undefined, noSignal)).rejects.toThrow(
      'No active dialog found',
    )
    const { value } = await dialogs.recall(own, { budget: 1500 }, noSignal)
    expect(value).toMatchObject({
      sessionId: 'cc-main',
      note: expect.stringContaining('an earlier one'),
    })
  })

  it('belongs to the project, or to a folder below it, and to no other', async () => {
    const { home, dialogs, caller } = dialogsUnderTest()
    home.claude('below.jsonl', line('below', { cwd: join(home.project, 'packages', 'a') }))
    home.claude('other.jsonl', line('other', { cwd: `${home.project}-2` }))
    expect((await dialogs.getFirstRequest(caller, undefined, noSignal)).value?.firstRequest).toBe(
      'below',
    )
    const elsewhere = { ...caller, project: join(home.project, 'empty') }
    await expect(dialogs.getFirstRequest(elsewhere, undefined, noSignal)).rejects.toThrow(
      'No active dialog found',
    )
  })

  it('is not one whose file was deleted', async () => {
    const { home, dialogs, caller } = dialogsUnderTest({ freshMs: 20 })
    utimesSync(home.codex(), old, old)
    const path = home.claude()
    const current = async () => {
      dialogs.index.invalidate()
      return dialogs.getFirstRequest({ ...caller, client: 'claude-code' }, undefined, noSignal)
    }
    expect((await current()).value?.sessionId).toBe('cc-main')
    rmSync(path)
    expect((await current()).value?.sessionId).toBe('0199aaaa-1111-7222-8333-444455556666')
  })

  it('is read where its file lies now, though the old place is remembered', async () => {
    const { home, dialogs, caller } = dialogsUnderTest()
    const path = home.claude('moved.jsonl', line('here', { cwd: home.project }))
    expect((await dialogs.getRequest(caller, 1, 'moved', noSignal)).success).toBe(true)
    const folder = home.path('.claude', 'projects', 'another-slug')
    mkdirSync(folder)
    renameSync(path, join(folder, 'moved.jsonl'))
    utimesSync(join(folder, 'moved.jsonl'), old, old)
    dialogs.index.invalidate()
    expect((await dialogs.getRequest(caller, 1, 'moved', noSignal)).value?.request).toBe('here')
  })

  it('is not one from the future for ever', async () => {
    const { home, dialogs, caller } = dialogsUnderTest()
    const skewed = home.vscode('v3.json', 'vs-v3.json')
    writeFileSync(skewed, readFileSync(skewed, 'utf8').replaceAll('17684', '47684'))
    utimesSync(skewed, old, old)
    await dialogs.listDialogs(caller, { everywhere: true, limit: 1, offset: 0 }, noSignal)
    home.claude()
    dialogs.index.invalidate()
    expect((await dialogs.getFirstRequest(caller, undefined, noSignal)).value?.sessionId).toBe(
      'cc-main',
    )
  })

  it('of two with the same id is the one in this project', async () => {
    const { home, dialogs, caller } = dialogsUnderTest()
    home.claude('same.jsonl', line('here', { cwd: home.project }))
    const path = home.codex()
    writeFileSync(
      path,
      readFileSync(path, 'utf8')
        .replaceAll(home.project, '/elsewhere')
        .replaceAll(/0199aaaa[-\d]+/g, 'same'),
    )
    renameSync(path, path.replace(/rollout-.*$/, 'rollout-x.jsonl'))
    expect((await dialogs.getRequest(caller, 1, 'same', noSignal)).value?.request).toBe('here')
  })

  it('is not one in which nothing was asked, nor an agent’s talk with itself', async () => {
    const { home, dialogs, caller } = dialogsUnderTest()
    const asked = home.claude()
    utimesSync(asked, old, old)
    const empty = home.vscode('v1.json', 'empty.json')
    writeFileSync(empty, '{"sessionId":"empty","requests":[]}')
    const helper = home.codex()
    writeFileSync(
      helper,
      readFileSync(helper, 'utf8').replace('"source":"cli"', '"source":{"subagent":"review"}'),
    )
    expect((await dialogs.getFirstRequest(caller, undefined, noSignal)).value?.sessionId).toBe(
      'cc-main',
    )
    await expect(dialogs.getFirstRequest(caller, 'empty', noSignal)).rejects.toThrow(
      'First request not available',
    )
    expect(
      (await dialogs.listDialogs(caller, { everywhere: false, limit: 9, offset: 0 }, noSignal))
        .value?.total,
    ).toBe(1)
  })

  it('is nobody else’s', async () => {
    const under = dialogsUnderTest({ recall: { openTasks: async () => ({ lines: [], total: 0 }) } })
    under.home.everything()
    const eve = { ...under.caller, user: 'eve' }
    const { dialogs } = under
    await expect(dialogs.getRequest(eve, 1, undefined, noSignal)).rejects.toThrow(
      'No active dialog found',
    )
    await expect(dialogs.getFirstRequest(eve, 'cc-main', noSignal)).rejects.toThrow(
      'Session not found: cc-main',
    )
    expect(
      (await dialogs.listDialogs(eve, { everywhere: true, limit: 10, offset: 0 }, noSignal)).value,
    ).toEqual({
      dialogs: [],
      total: 0,
    })
    expect(
      (await dialogs.searchRequests(eve, { query: 'theme', limit: 10 }, noSignal)).value?.results,
    ).toEqual([])
    await expect(dialogs.recall(eve, { budget: 1500 }, noSignal)).rejects.toThrow(
      'No active dialog found',
    )
  })
})
