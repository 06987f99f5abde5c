import { appendFileSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it } from 'vitest'
import { type DialogsUnderTest, dialogsUnderTest, noSignal } from '../../test/support/dialogs-service.ts'
import { Failure } from '../core/failure.ts'
import type { Source } from './source.ts'

const line = (text: string, more: object = {}) => `${JSON.stringify({ type: 'user', message: { content: text }, ...more })}\n`

function texts({ dialogs, caller }: DialogsUnderTest) {
  return async (sessionId: string): Promise<unknown[]> => {
    dialogs.index.invalidate()
    const all: unknown[] = []
    for (let index = 1; ; index++) {
      const { success, value } = await dialogs.getRequest(caller, index, sessionId, noSignal)
      if (!success) return all
      all.push(value?.request)
    }
  }
}

describe('a transcript that is not as it should be', () => {
  it('D13 leaves out a torn last line, says so, and has it once it is whole', async () => {
    const under = dialogsUnderTest()
    const path = under.home.claude('a.jsonl', line('one'))
    const requests = texts(under)
    appendFileSync(path, '{"type":"user","message":{"content":"tw')
    expect(await requests('a')).toEqual(['one'])
    expect(under.warnings).toContainEqual({ path, why: 'the last line is torn so far' })
    appendFileSync(path, 'o"}}\n')
    expect(await requests('a')).toEqual(['one', 'two'])
  })

  it('D13 takes a last line without its end if it is whole, once', async () => {
    const under = dialogsUnderTest()
    const path = under.home.claude('a.jsonl', line('one').trimEnd())
    const requests = texts(under)
    expect(await requests('a')).toEqual(['one'])
    appendFileSync(path, `\n${line('two')}`)
    expect(await requests('a')).toEqual(['one', 'two'])
  })

  it('D13 leaves out a torn last line of a VS Code log, even one that ends like a whole one', async () => {
    const under = dialogsUnderTest()
    const whole = '{"kind":2,"k":["requests",0,"response"],"v":[{"value":"a"}]}'
    const path = under.home.vscode('log.jsonl', 'vs-log.jsonl')
    const requests = texts(under)
    appendFileSync(path, whole.slice(0, -2))
    expect(await requests('vs-log')).toHaveLength(3)
    appendFileSync(path, `${whole.slice(-2)}\n{"kind":2,"k":["requests"],"v":[{"message":{"text":"next"}}]}\n`)
    expect((await requests('vs-log')).at(-1)).toBe('next')
    expect(under.warnings.filter(({ why }) => why.includes('broken'))).toEqual([])
  })

  it('D13 skips a broken line and a broken file, names them, and reads the rest', async () => {
    const under = dialogsUnderTest()
    const path = under.home.claude('a.jsonl', `${line('one')}"user" {broken}\n${line('two')}`)
    const broken = under.home.vscode('v3.json', 'vs-v3.json')
    writeFileSync(broken, readFileSync(broken, 'utf8').slice(0, 300))
    under.home.vscode('v1.json', 'vs-v1.json')
    const requests = texts(under)
    expect(await requests('a')).toEqual(['one', 'two'])
    expect(await requests('vs-v1')).toHaveLength(1)
    expect(await requests('vs-v3')).toEqual([])
    expect(under.warnings.map((warning) => warning.path).sort()).toEqual([broken, path].sort())
  })

  it('D13 reads what it can of a version it does not know', async () => {
    const under = dialogsUnderTest()
    const path = under.home.vscode('v2.json', 'vs-v2.json')
    writeFileSync(path, readFileSync(path, 'utf8').replace('"version":2', '"version":99,"future":{"requests":[1]}'))
    expect(await texts(under)('vs-v2')).toEqual(['Explain this regex'])
  })

  it('D13 reads a log anew after it was rewritten as one line', async () => {
    const under = dialogsUnderTest()
    const path = under.home.vscode('log.jsonl', 'vs-log.jsonl')
    const requests = texts(under)
    const before = await requests('vs-log')
    const rewritten = before.map((text) => ({ message: { text }, pad: 'x'.repeat(5000) }))
    writeFileSync(path, `${JSON.stringify({ kind: 0, v: { version: 3, sessionId: 'vs-log', requests: rewritten } })}\n`)
    expect(await requests('vs-log')).toEqual(before)
    appendFileSync(path, '{"kind":2,"k":["requests"],"v":[{"message":"more"}]}\n')
    expect(await requests('vs-log')).toEqual([...before, 'more'])
  })

  it('D13 lets the log win over the document of the same session', async () => {
    const under = dialogsUnderTest()
    under.home.vscode('v3.json', 'vs-log.json')
    under.home.vscode('log.jsonl', 'vs-log.jsonl')
    expect(await texts(under)('vs-log')).toHaveLength(3)
    expect(await texts(under)('vs-v3')).toEqual([])
  })

  it('takes invalid UTF-8, NUL and a million characters', async () => {
    const under = dialogsUnderTest()
    const long = 'long 🐈 '.repeat(150_000)
    under.home.write(
      join(under.home.claudeFolder(), 'a.jsonl'),
      Buffer.concat([
        Buffer.from('{"type":"user","message":{"content":"bad \xff\xfe byte"}}\n', 'latin1'),
        Buffer.from(line('a\0b') + line(long)),
      ]),
    )
    const [bad, nul, whole] = await texts(under)('a')
    expect(bad).toBe('bad \ufffd\ufffd byte')
    expect(nul).toBe('a\0b')
    expect(whole).toBe(long)
  })

  it('D8 knows no first request where the first has no text', async () => {
    const { home, dialogs, caller } = dialogsUnderTest()
    const path = home.vscode('v1.json', 'vs-v1.json')
    writeFileSync(path, '{"sessionId":"vs-v1","requests":[{"message":{"text":"","parts":[]}},{"message":{"text":"second"}}]}')
    expect(await dialogs.getFirstRequest(caller, 'vs-v1', noSignal)).toMatchObject({ error: 'First request not available' })
    expect((await dialogs.getRequest(caller, 2, 'vs-v1', noSignal)).value?.request).toBe('second')
  })

  it('D13 leaves out one file that cannot be read, and one that is no file', async () => {
    const under = dialogsUnderTest()
    under.home.claude('good.jsonl', line('one'))
    symlinkSync(join(under.home.claudeFolder(), 'loop.jsonl'), join(under.home.claudeFolder(), 'loop.jsonl'))
    under.home.write(join(under.home.claudeFolder(), 'folder.jsonl', 'x'), '')
    expect(await texts(under)('good')).toEqual(['one'])
  })
})

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
    expect((await dialogs.listDialogs(good.caller, { everywhere: true, limit: 10, offset: 0 }, noSignal)).value?.total).toBe(1)
    expect(good.warnings).toContainEqual({ path: '/x', why: 'cannot be read (EACCES)' })
  })

  it('goes on after a restart without reading what it knows', async () => {
    const under = dialogsUnderTest()
    const path = under.home.claude()
    await texts(under)('cc-main')
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
    expect((await later.getRequest(under.caller, 5, undefined, noSignal)).value?.request).toBe('more')
    expect(read).toEqual([`${path} from ${size}`])
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
        .map((path) => `${path} ${statSync(under.home.path(path)).mtimeMs} ${statSync(under.home.path(path)).size}`)
    const before = state()
    const { value } = await under.dialogs.listDialogs(under.caller, { everywhere: true, limit: 100, offset: 0 }, noSignal)
    for (const { sessionId } of value?.dialogs ?? []) await texts(under)(sessionId)
    expect(value?.total).toBeGreaterThan(14)
    expect(state()).toEqual(before)
  })

  it('reads a database that its program has open, without holding it up', async () => {
    const under = dialogsUnderTest()
    const path = under.home.cursor()
    const owner = new DatabaseSync(path)
    owner.exec('pragma journal_mode=wal')
    owner.exec('begin immediate')
    owner.prepare('insert into cursorDiskKV values (?, ?)').run('bubbleId:cur-1:b4', '{"type":1,"text":"not yet"}')
    expect(await texts(under)('cur-1')).toHaveLength(2)
    owner.exec('commit')
    const composer = JSON.parse(under.home.sample('cursor/rows.json'))['composerData:cur-1']
    composer.fullConversationHeadersOnly.push({ bubbleId: 'b4', type: 1 })
    owner.prepare('insert into cursorDiskKV values (?, ?)').run('composerData:cur-1', JSON.stringify(composer))
    expect(await texts(under)('cur-1')).toEqual(['Retry the upload three times', 'With a growing delay', 'not yet'])
    owner.close()
  })

  it('D8 is unavailable for a moment where its storage is', async () => {
    const under = dialogsUnderTest()
    const store = { stamps: () => Promise.reject(new Failure('storage_busy', 'The database is busy')) }
    const dialogs = under.again({ store: store as never })
    await expect(dialogs.getRequest(under.caller, 1, undefined, noSignal)).rejects.toMatchObject({ errorType: 'storage_busy' })
  })
})

describe('the current dialog', () => {
  const old = new Date('2026-01-01')

  it('is the newest of the project where the client keeps its dialogs, else the newest of the project', async () => {
    const { home, dialogs, caller } = dialogsUnderTest()
    utimesSync(home.codex(), old, old)
    home.claude()
    const current = async (client?: string) =>
      (await dialogs.getFirstRequest({ ...caller, client }, undefined, noSignal)).value?.sessionId
    expect(await current()).toBe('cc-main')
    expect(await current('codex-mcp-client')).toBe('0199aaaa-1111-7222-8333-444455556666')
    expect(await current('claude-code')).toBe('cc-main')
    expect(await current('Visual Studio Code')).toBe('cc-main')
    expect(await current('something else')).toBe('cc-main')
  })

  it('is the one that the client told', async () => {
    const under = dialogsUnderTest()
    under.home.everything()
    const told = under.again({ session: 'gem-json' })
    expect((await told.getFirstRequest(under.caller, undefined, noSignal)).value?.sessionId).toBe('gem-json')
    const { value } = await under.dialogs.getFirstRequest({ ...under.caller, session: 'cur-1' }, undefined, noSignal)
    expect(value?.sessionId).toBe('cur-1')
    const unknown = under.again({ session: 'not written yet' })
    expect((await unknown.getFirstRequest(under.caller, undefined, noSignal)).success).toBe(true)
  })

  it('belongs to the project, or to a folder below it, and to no other', async () => {
    const { home, dialogs, caller } = dialogsUnderTest()
    home.claude('below.jsonl', line('below', { cwd: join(home.project, 'packages', 'a') }))
    home.claude('other.jsonl', line('other', { cwd: `${home.project}-2` }))
    expect((await dialogs.getFirstRequest(caller, undefined, noSignal)).value?.firstRequest).toBe('below')
    const elsewhere = { ...caller, project: join(home.project, 'empty') }
    expect(await dialogs.getFirstRequest(elsewhere, undefined, noSignal)).toMatchObject({ error: 'No active dialog found' })
  })

  it('is not one from the future for ever', async () => {
    const { home, dialogs, caller } = dialogsUnderTest()
    const skewed = home.vscode('v3.json', 'vs-v3.json')
    writeFileSync(skewed, readFileSync(skewed, 'utf8').replaceAll('17684', '47684'))
    utimesSync(skewed, old, old)
    await dialogs.listDialogs(caller, { everywhere: true, limit: 1, offset: 0 }, noSignal)
    home.claude()
    dialogs.index.invalidate()
    expect((await dialogs.getFirstRequest(caller, undefined, noSignal)).value?.sessionId).toBe('cc-main')
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

  it('is nobody else’s', async () => {
    const under = dialogsUnderTest({ recall: { openTasks: async () => ({ lines: [], total: 0 }) } })
    under.home.everything()
    const eve = { ...under.caller, user: 'eve' }
    const { dialogs } = under
    expect(await dialogs.getRequest(eve, 1, undefined, noSignal)).toMatchObject({ error: 'No active dialog found' })
    expect(await dialogs.getFirstRequest(eve, 'cc-main', noSignal)).toMatchObject({ error: 'Session not found: cc-main' })
    expect((await dialogs.listDialogs(eve, { everywhere: true, limit: 10, offset: 0 }, noSignal)).value).toEqual({
      dialogs: [],
      total: 0,
    })
    expect((await dialogs.searchRequests(eve, { query: 'theme', limit: 10 }, noSignal)).value?.results).toEqual([])
    expect(await dialogs.recall(eve, { budget: 1500 }, noSignal)).toMatchObject({ error: 'No active dialog found' })
  })
})

describe('requests', () => {
  it('are listed in pages', async () => {
    const { home, dialogs, caller } = dialogsUnderTest()
    home.claude()
    const { value } = await dialogs.listRequests(caller, { limit: 2, offset: 1 }, noSignal)
    expect(value).toMatchObject({ totalRequests: 4, more: 'Call again with offset 3' })
    expect(value?.requests.map(({ index, preview }) => `${index} ${preview}`)).toEqual([
      '2 /review the last commit',
      '3 Also log out other devices; the body has "tool_use_id" in it',
    ])
  })

  it('are found in every dialog of the project by their words, and by meaning where the engine is there', async () => {
    const under = dialogsUnderTest()
    under.home.everything()
    const { value } = await under.dialogs.searchRequests(under.caller, { query: 'dark theme', limit: 5 }, noSignal)
    expect(value?.results[0]).toMatchObject({ sessionId: 'vs-log', index: 1, source: 'vscode' })
    const engine = { search: async () => [{ sessionId: 'ses_1', position: 2, score: 0.9 }] }
    const meaning = await under.again({ search: engine }).searchRequests(under.caller, { query: 'ttl', limit: 5 }, noSignal)
    expect(meaning.value?.results).toEqual([
      expect.objectContaining({ sessionId: 'ses_1', index: 2, request: 'For an hour only', score: 0.9 }),
    ])
  })

  it('reach the search engine with the answers, from every source', async () => {
    const under = dialogsUnderTest()
    under.home.everything()
    const said = new Map<string, string | undefined>()
    for await (const turn of under.dialogs.turnsOfProject(under.caller, 0, noSignal))
      said.set(`${turn.source} ${turn.sessionId} ${turn.position}: ${turn.request.slice(0, 20)}`, turn.answer)
    expect(Object.fromEntries(said)).toMatchObject({
      'claude-code cc-main 1: Let people log in wi': 'Passkeys work now; the password form is untouched.',
      'vscode vs-log 1: Add a dark theme to ': 'The theme is in `settings.css`.',
      'vscode vs-v3 1: Why is this test fla': 'It reads the clock.',
      'codex 0199aaaa-1111-7222-8333-444455556666 1: Port the parser to R': 'The parser is in Rust now.',
      'gemini-cli gem-json 1: Draw the module grap': 'Here it is.',
      'gemini-cli gem-jsonl 1: Rename the flag': 'Renamed.',
      'copilot-cli copilot-cli-1 1: Why does CI fail?': 'A secret is missing.',
      'cline 1768800000000 2: Make it blue': 'It is blue.',
      'cursor cur-1 1: Retry the upload thr': 'It retries now.',
      'opencode ses_1 1: Cache the answers': 'They are cached.',
      'opencode ses_old 1: Count the words': 'There are 12.',
    })
    const later: unknown[] = []
    for await (const turn of under.dialogs.turnsOfProject(under.caller, Date.now() + 1000, noSignal)) later.push(turn)
    expect(later).toEqual([])
  })
})
