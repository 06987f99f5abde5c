import { describe, expect, it } from 'vitest'
import corpus from '../../test/data/secrets.json' with { type: 'json' }
import { redact } from './redact.ts'

describe('redact', () => {
  it.each(
    corpus.secrets.map(({ kind, parts }) => ({ kind, text: parts.join(''), start: parts[0] })),
  )('takes out a $kind after “$start”', ({ kind, text }) => {
    const clean = redact(text)
    expect(clean).toContain(`[redacted:${kind}]`)
    expect(redact(clean)).toBe(clean)
  })

  it.each(corpus.innocent)('leaves %s as it is', (text) => {
    expect(redact(text)).toBe(text)
  })

  it.each(['AGE-SECRET-KEY-1', 'secret-token-', 'my.password.', 'api_key '])(
    'comes to an end on a long run of %j',
    (text) => {
      expect(redact(text.repeat(10_000)).length).toBeGreaterThan(0)
    },
  )

  it('keeps the words around a secret', () => {
    expect(redact('connect to postgres://app:s3cretpass@db/app now')).toBe(
      'connect to postgres://app:[redacted:password]@db/app now',
    )
  })
})
