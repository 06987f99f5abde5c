import { appendFileSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  dialogsUnderTest,
  line,
  noSignal,
  requestsNow,
} from '../../../../test/support/dialogs-service.ts'
import { dialogHealth } from '../app/health.ts'

describe('a transcript that is not as it should be', () => {
  it('D13 leaves out a torn last line, says so, and has it once it is whole', async () => {
    const under = dialogsUnderTest()
    const path = under.home.claude('a.jsonl', line('one'))
    const requests = (id: string) => requestsNow(under, id)
    appendFileSync(path, '{"type":"user","message":{"content":"tw')
    expect(await requests('a')).toEqual(['one'])
    expect(under.warnings).toContainEqual({ path, why: 'the last line is incomplete' })
    appendFileSync(path, 'o"}}\n')
    expect(await requests('a')).toEqual(['one', 'two'])
  })

  it('D13 takes a last line without its end if it is whole, once', async () => {
    const under = dialogsUnderTest()
    const path = under.home.claude('a.jsonl', line('one').trimEnd())
    const requests = (id: string) => requestsNow(under, id)
    expect(await requests('a')).toEqual(['one'])
    appendFileSync(path, `\n${line('two')}`)
    expect(await requests('a')).toEqual(['one', 'two'])
  })

  it('D13 leaves out a torn last line of a VS Code log, even one that ends like a whole one', async () => {
    const under = dialogsUnderTest()
    const whole = '{"kind":2,"k":["requests",0,"response"],"v":[{"value":"a"}]}'
    const path = under.home.vscode('log.jsonl', 'vs-log.jsonl')
    const requests = (id: string) => requestsNow(under, id)
    appendFileSync(path, whole.slice(0, -2))
    expect(await requests('vs-log')).toHaveLength(3)
    appendFileSync(
      path,
      `${whole.slice(-2)}\n{"kind":2,"k":["requests"],"v":[{"message":{"text":"next"}}]}\n`,
    )
    expect((await requests('vs-log')).at(-1)).toBe('next')
    expect(under.warnings.filter(({ why }) => why.includes('broken'))).toEqual([])
  })

  it('D13 skips a broken line and a broken file, names them, and reads the rest', async () => {
    const under = dialogsUnderTest()
    const path = under.home.claude('a.jsonl', `${line('one')}"user" {broken}\n${line('two')}`)
    const broken = under.home.vscode('v3.json', 'vs-v3.json')
    writeFileSync(broken, readFileSync(broken, 'utf8').slice(0, 300))
    under.home.vscode('v1.json', 'vs-v1.json')
    const requests = (id: string) => requestsNow(under, id)
    expect(await requests('a')).toEqual(['one', 'two'])
    expect(await requests('vs-v1')).toHaveLength(1)
    expect(await requests('vs-v3')).toEqual([])
    expect(under.warnings.map((warning) => warning.path).sort()).toEqual([broken, path].sort())
  })

  it('D13 still names what was left out after a restart, until the file is whole', async () => {
    const under = dialogsUnderTest()
    const path = under.home.claude('a.jsonl', `${line('one')}"user" {broken}\n`)
    const foreign = under.home.claude('b.jsonl')
    writeFileSync(foreign, Buffer.from(`\ufeff${line('one')}${line('two')}`, 'utf16le'))
    const unknown = under.home.claude('c.jsonl', '{"kind":"else","said":"one"}\n'.repeat(20))
    await under.dialogs.ready(under.caller, noSignal)
    appendFileSync(path, line('two'))
    const later = under.again()
    later.index.invalidate()
    await later.ready(under.caller, noSignal)
    const leftOut = await later.store.leftOut()
    expect(leftOut.sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path, parts: 1, why: `line at byte ${line('one').length} is broken and was left out` },
      { path: foreign, parts: 1, why: 'its lines are not JSON in UTF-8' },
      { path: unknown, parts: 1, why: 'nothing was understood in 20 lines' },
    ])
    const { detail } = await dialogHealth(later, under.caller).run()
    expect(detail).toContain('could not be read: 3 parts of dialogs, such as')
    writeFileSync(path, line('one'))
    later.index.invalidate()
    await later.ready(under.caller, noSignal)
    expect((await later.store.leftOut()).map((one) => one.path)).not.toContain(path)
  })

  it('D13 reads what it can of a version it does not know', async () => {
    const under = dialogsUnderTest()
    const path = under.home.vscode('v2.json', 'vs-v2.json')
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace('"version":2', '"version":99,"future":{"requests":[1]}'),
    )
    expect(await requestsNow(under, 'vs-v2')).toEqual(['Explain this regex'])
  })

  it('D13 reads a log anew after it was rewritten as one line', async () => {
    const under = dialogsUnderTest()
    const path = under.home.vscode('log.jsonl', 'vs-log.jsonl')
    const requests = (id: string) => requestsNow(under, id)
    const before = await requests('vs-log')
    const rewritten = before.map((text) => ({ message: { text }, pad: 'x'.repeat(5000) }))
    writeFileSync(
      path,
      `${JSON.stringify({ kind: 0, v: { version: 3, sessionId: 'vs-log', requests: rewritten } })}\n`,
    )
    expect(await requests('vs-log')).toEqual(before)
    appendFileSync(path, '{"kind":2,"k":["requests"],"v":[{"message":"more"}]}\n')
    expect(await requests('vs-log')).toEqual([...before, 'more'])
  })

  it('D13 lets the log win over the document of the same session', async () => {
    const under = dialogsUnderTest()
    under.home.vscode('v3.json', 'vs-log.json')
    under.home.vscode('log.jsonl', 'vs-log.jsonl')
    expect(await requestsNow(under, 'vs-log')).toHaveLength(3)
    expect(await requestsNow(under, 'vs-v3')).toEqual([])
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
    const [bad, nul, whole] = await requestsNow(under, 'a')
    expect(bad).toBe('bad \ufffd\ufffd byte')
    expect(nul).toBe('a\0b')
    expect(whole).toBe(long)
  })

  it('D13 minds no byte order mark, in any form of file', async () => {
    const under = dialogsUnderTest()
    const { home } = under
    home.everything()
    const ids = new Map([
      [home.claude(), 'cc-main'],
      [home.codex(), '0199aaaa-1111-7222-8333-444455556666'],
      [home.gemini('session.json'), 'gem-json'],
      [home.gemini('session.jsonl'), 'gem-jsonl'],
      [home.copilotCli(), 'copilot-cli-1'],
      [home.cline(), '1768800000000'],
      [home.vscode('v3.json', 'vs-v3.json'), 'vs-v3'],
      [home.vscode('log.jsonl', 'vs-log.jsonl'), 'vs-log'],
      [home.path('.local/share/opencode/storage/session/p/ses_old.json'), 'ses_old'],
    ])
    for (const [path, id] of ids) {
      const plain = await requestsNow(under, id)
      writeFileSync(path, `\ufeff${readFileSync(path, 'utf8')}`)
      expect(await requestsNow(under, id)).toEqual(plain)
      expect(plain).not.toEqual([])
    }
    expect(under.warnings).toEqual([])
  })

  it('D8 knows no first request where the first has no text', async () => {
    const { home, dialogs, caller } = dialogsUnderTest()
    const path = home.vscode('v1.json', 'vs-v1.json')
    writeFileSync(
      path,
      '{"sessionId":"vs-v1","requests":[{"message":{"text":"","parts":[]}},{"message":{"text":"second"}}]}',
    )
    await expect(dialogs.getFirstRequest(caller, 'vs-v1', noSignal)).rejects.toThrow(
      'First request not available',
    )
    expect((await dialogs.getRequest(caller, 2, 'vs-v1', noSignal)).value?.request).toBe('second')
  })

  it('D13 leaves out one file that cannot be read, and one that is no file', async () => {
    const under = dialogsUnderTest()
    under.home.claude('good.jsonl', line('one'))
    symlinkSync(
      join(under.home.claudeFolder(), 'loop.jsonl'),
      join(under.home.claudeFolder(), 'loop.jsonl'),
    )
    under.home.write(join(under.home.claudeFolder(), 'folder.jsonl', 'x'), '')
    expect(await requestsNow(under, 'good')).toEqual(['one'])
  })
})
