import { describe, expect, it } from 'vitest'
import { isLike, saidOf, worded } from './likeness.ts'

describe('what two notes say', () => {
  it.each([
    ['Sessions live in Redis', 'sessions live in redis.', true],
    ['We keep sessions in Redis', 'We keep the sessions in Redis!', true],
    ['Sessions expire after five minutes', 'Sessions expire after ten minutes', false],
    ['We use Redis for caching', 'We no longer use Redis for caching', false],
    ['The server calls the client', 'The client calls the server', false],
    ['The timeout is 30 seconds', 'The timeout is 60 seconds', false],
    ['猫', '猫', true],
    ['!!!', '???', false],
  ])('is the same in %j and %j: %s', (a, b, expected) => {
    expect(saidOf(a) === saidOf(b)).toBe(expected)
  })

  it.each([
    ['Sessions expire after five minutes', 'Sessions expire after ten minutes', true],
    ['Sessions live in Redis', 'Sessions live in Postgres', true],
    ['Sessions live in Redis', 'Prices are kept in cents', false],
    ['!!!', '???', false],
  ])('is about the same thing in %j and %j: %s', (a, b, expected) => {
    expect(isLike(worded(a), worded(b))).toBe(expected)
  })
})
