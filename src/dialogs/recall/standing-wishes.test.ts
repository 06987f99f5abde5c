import { describe, expect, it } from 'vitest'
import { standingWishes } from './standing-wishes.ts'

describe('standing instructions in a request', () => {
  it.each([
    "Don't touch the payment form.",
    'From now on, run the linter first.',
    'We never commit to main.',
    'Please keep the public API as it is.',
    'Всегда пиши тесты.',
    "I don't want any new dependencies.",
  ])('has %s', (sentence) => {
    expect(standingWishes(`Add a page. ${sentence}`)).toContain(sentence)
  })

  it.each([
    'ok looks like i dont need the token to set the endpoint',
    "you don't have access to docker here",
    'did we not keep this before?',
    'we might want to improve this in future',
  ])('does not take %s for one', (sentence) => {
    expect(standingWishes(sentence)).toEqual([])
  })
})
