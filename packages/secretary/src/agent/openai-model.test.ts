import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ModelMock, startModelMock } from '../../../../test/support/model-mock.ts'
import type { AgentEvent, AgentRequest, Toolbox } from './agent.ts'
import type { ChatModel } from './chat-model.ts'
import { createModelAgent } from './model-agent.ts'
import { createOpenAiModel } from './openai-model.ts'

let mock: ModelMock
let model: ChatModel

beforeAll(async () => {
  mock = await startModelMock()
  model = createOpenAiModel({ model: 'mock', url: mock.url, strict: 'off' })
})
afterAll(() => mock.close())

const ask = () =>
  model.ask({
    messages: [{ role: 'user', content: 'go' }],
    tools: [],
    signal: new AbortController().signal,
    onText: () => {},
  })
const delta = (value: unknown) => JSON.stringify({ choices: [{ index: 0, delta: value }] })
const call = (part: object) =>
  delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'x', arguments: '{}' }, ...part }] })

describe('a stream of a model', () => {
  it.each([
    ['an index beyond all calls', call({ index: 4294967290 })],
    ['a negative index', call({ index: -1 })],
    ['a broken index', call({ index: 1.5 })],
    ['an index that is a property of arrays', call({ index: '__proto__' })],
    ['another such index', call({ index: 'constructor' })],
    ['the length as its index', call({ index: 'length' })],
    ['an id that is a number', call({ id: 7 })],
    ['a name that is an object', call({ function: { name: { toString: 1 }, arguments: '{}' } })],
    ['arguments that are an object', call({ function: { name: 'x', arguments: {} } })],
    ['a function that is a text', call({ function: 'x' })],
    ['calls that are an object', delta({ tool_calls: { 0: {} } })],
    ['text that is a list', delta({ content: ['a'] })],
    ['choices that are a text', '{"choices":"many"}'],
    ['a number', '5'],
    ['null', 'null'],
    ['more calls than anybody needs', ...Array.from({ length: 65 }, (_, index) => call({ index }))],
    ['a call without end', ...Array.from({ length: 30 }, () => endless('arguments'))],
    ['a text without end', ...Array.from({ length: 30 }, () => endless('content'))],
  ])('with %s is refused in our own words', async (_name, ...lines) => {
    mock.script({ lines: [...lines, '[DONE]'] })
    await expect(ask()).rejects.toMatchObject({
      name: 'ModelError',
      trouble: 'nonsense',
      message: 'The model gave an answer that could not be understood',
    })
    expect(Object.hasOwn(Array.prototype, 'id')).toBe(false)
    expect(Object.hasOwn(Array.prototype, 'argumentsText')).toBe(false)
    expect(Object.hasOwn(Function.prototype, 'argumentsText')).toBe(false)
  })

  it('is understood where calls come without an index, or out of order', async () => {
    const text = (index: number | undefined, id: string, args: string) =>
      call({ index, id, function: { name: id, arguments: args } })
    mock.script({ lines: [text(undefined, 'a', '{}'), text(undefined, 'b', '[]'), '[DONE]'] })
    expect((await ask()).calls.map(({ name }) => name)).toEqual(['a', 'b'])
    mock.script({ lines: [text(1, 'b', '[]'), text(0, 'a', '{}'), '[DONE]'] })
    expect((await ask()).calls.map(({ name }) => name)).toEqual(['a', 'b'])
  })
})

describe('a model that keeps the person waiting', () => {
  const LIMIT_MS = 300
  const toolbox: Toolbox = {
    definitions: [],
    effectOf: () => undefined,
    asksFirst: () => false,
    ownName: (name) => name,
    nameOf: (name) => name,
    findTask: async () => undefined,
    look: async () => undefined,
    call: () => Promise.reject(new Error('nothing to call')),
  }
  const answer = async (events: AgentEvent[] = []) => {
    const request: AgentRequest = {
      message: 'hello',
      history: [],
      caller: { user: 'ada', project: '/' },
      signal: new AbortController().signal,
      onEvent: (event) => events.push(event),
    }
    return createModelAgent(model, toolbox, LIMIT_MS).answer(request)
  }

  it.each([
    ['never answers', { never: true }],
    ['begins and falls silent', { begins: 'Well, ', rest: new Promise<string>(() => {}) }],
    ['asks for a long pause', { retryAfterSeconds: 50 }],
  ] as const)('that %s is given up at the limit', async (_name, script) => {
    mock.script(script)
    await expect(answer()).rejects.toMatchObject({
      trouble: 'slow',
      message: 'The model took too long to answer',
    })
  })

  it('and calls tools for ever is given up too', async () => {
    mock.script(() => ({ calls: [{ name: 'launch', args: {} }] }), { never: true })
    await expect(answer()).rejects.toMatchObject({ trouble: 'slow' })
  })
})

function endless(kind: 'content' | 'arguments'): string {
  const text = 'x'.repeat(50_000)
  return kind === 'content' ? delta({ content: text }) : call({ function: { arguments: text } })
}
