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

  it('is not what asks for something by itself, unless the agent had asked', () => {
    expect(questionBefore('commit', 'All done.')).toBeUndefined()
    expect(questionBefore('commit', 'Done. Shall I commit?')).toBe('Done. Shall I commit?')
    expect(questionBefore('Add a page', 'Shall I?')).toBeUndefined()
  })
})
