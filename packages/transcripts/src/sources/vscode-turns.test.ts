import { describe, expect, it } from 'vitest'
import {
  dialogsUnderTest,
  noSignal,
  requestsNow,
} from '../../../../test/support/dialogs-service.ts'

const json = (value: object) => `${JSON.stringify(value)}\n`
const start = json({ kind: 0, v: { version: 3, sessionId: 'a', requests: [] } })
const push = (...texts: string[]) =>
  json({ kind: 2, k: ['requests'], v: texts.map((text) => ({ message: { text }, response: [] })) })
const set = (k: (string | number)[], v: unknown) => json({ kind: 1, k: ['requests', ...k], v })
const remove = (...k: (string | number)[]) => json({ kind: 3, k: ['requests', ...k] })

/** Requests as the index knows them, and as the whole session put together has them. */
async function requestsIn(content: string, name = 'a.jsonl') {
  const under = dialogsUnderTest()
  under.home.write(under.home.vscode('v1.json', name), content)
  const known = await requestsNow(under, 'a')
  const dialog = await under.dialogs.require(under.caller, 'a', noSignal)
  const turns: { request: string; answer?: string }[] = []
  for await (const { request, answer } of under.dialogs.texts.turns(dialog))
    turns.push({ request, answer })
  expect(turns.map(({ request }) => request)).toEqual(known)
  return { requests: known, answers: turns.map(({ answer }) => answer) }
}

describe('D12 a turn of VS Code', () => {
  it('is hidden as long as one mark says so', async () => {
    const log = [
      start,
      push('one', 'two', 'three'),
      set([1, 'isHidden'], true),
      set([1, 'shouldBeRemovedOnSend'], { requestId: 'r' }),
      remove(1, 'shouldBeRemovedOnSend'),
      set([2, 'isSystemInitiated'], true),
      remove(2, 'isSystemInitiated'),
    ]
    expect((await requestsIn(log.join(''))).requests).toEqual(['one', 'three'])
    expect((await requestsIn([...log, remove(1, 'isHidden')].join(''))).requests).toEqual([
      'one',
      'two',
      'three',
    ])
  })

  it('counts where only what followed a step of it is withdrawn', async () => {
    const log = [
      start,
      push('kept', 'withdrawn'),
      set([0, 'shouldBeRemovedOnSend'], { requestId: 'r0', afterUndoStop: 's1' }),
      set([1, 'shouldBeRemovedOnSend'], { requestId: 'r1' }),
    ]
    expect((await requestsIn(log.join(''))).requests).toEqual(['kept'])
  })

  it('that is deleted leaves its place; one set behind the last is new', async () => {
    const log = [
      start,
      push('one', 'two', 'three'),
      remove(1),
      set([2, 'message'], { text: 'third' }),
      set([3], { message: { text: 'four' } }),
    ]
    expect((await requestsIn(log.join(''))).requests).toEqual(['one', 'third', 'four'])
  })
})

describe('an answer of VS Code', () => {
  it('is read where it is a plain text, or a list of them', async () => {
    const requests = [
      { message: 'What is it?', response: 'A parser.' },
      { message: 'And that?', response: ['A test', ' for it.'] },
    ]
    const { answers } = await requestsIn(JSON.stringify({ sessionId: 'a', requests }), 'a.json')
    expect(answers).toEqual(['A parser.', 'A test for it.'])
  })

  it('keeps the names of what it refers to', async () => {
    const response = [
      { value: 'See ' },
      { kind: 'inlineReference', name: 'parse()', inlineReference: { uri: { path: '/p/a.ts' } } },
      { value: ' in ' },
      { kind: 'inlineReference', inlineReference: { $mid: 1, path: '/p/src/b%20c.ts' } },
      { value: ' and ' },
      { kind: 'inlineReference', inlineReference: { name: 'Parser', location: {} } },
      { value: ', ' },
      { kind: 'inlineReference', inlineReference: { uri: 'file:///p/d.ts', range: {} } },
      { kind: 'thinking', value: 'hm' },
      { kind: 'markdownContent', content: { value: '. Done.' } },
    ]
    const requests = [{ message: 'Where?', response }]
    const { answers } = await requestsIn(JSON.stringify({ sessionId: 'a', requests }), 'a.json')
    expect(answers).toEqual(['See parse() in b c.ts and Parser, d.ts. Done.'])
  })
})
