import { describe, expect, it } from 'vitest'
import { isBareReply, questionBefore } from './bare-reply.ts'

describe('a bare reply', () => {
  it.each([
    'yes',
    'Yes please.',
    '1',
    '1 and 3',
    'do both',
    'option 2',
    'go ahead',
    'да, давай',
    '继续',
  ])('is %s', (text) => expect(isBareReply(text)).toBe(true))

  it.each(['commit', 'fix the first test', 'yes, but keep the old name', 'why?', 'add a page'])(
    'is not %s',
    (text) => expect(isBareReply(text)).toBe(false),
  )

  it('answers the last question of the agent, or its last words', () => {
    expect(questionBefore('yes', 'I looked.\nShall I begin?\n- a\n- b')).toBe('Shall I begin?')
    expect(questionBefore('ok', 'Tell me when to start.')).toBe('Tell me when to start.')
  })

  it('answers nothing in code, in a table or in an address', () => {
    const code = 'Done.\n- Added `onReRun?: (name: string) => void`\n```ts\nreally?\n```'
    expect(questionBefore('commit', code)).toBeUndefined()
    expect(questionBefore('commit', 'See https://a.b/c?d=e')).toBeUndefined()
    expect(questionBefore('push', '| a.ts | is it `x`? yes |')).toBeUndefined()
    expect(questionBefore('ok', 'Tell me when.\n\n| a | b |\n|---|---|')).toBe('Tell me when.')
    expect(questionBefore('yes', '**Shall I push?**')).toBe('**Shall I push?**')
    expect(questionBefore('继续', '要我提交吗？可以的话我就开始。')).toBe(
      '要我提交吗？可以的话我就开始。',
    )
  })

  it('is not what asks for something by itself, unless the agent had asked', () => {
    expect(questionBefore('commit', 'All done.')).toBeUndefined()
    expect(questionBefore('commit', 'Done. Shall I commit?')).toBe('Done. Shall I commit?')
    expect(questionBefore('Add a page', 'Shall I?')).toBeUndefined()
  })
})
