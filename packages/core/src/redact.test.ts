import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import corpus from '../../../test/data/secrets.json' with { type: 'json' }
import { isLeaked, sampleTexts } from '../../../test/support/secret-corpus.ts'
import { loggable } from './calls.ts'

import { redact, redactBeginning } from './redact.ts'

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
  it('takes out at least 95 of 100 secrets of every documented form, whatever their signs', () => {
    expect(sampleTexts('secret-shapes', 1).length).toBeGreaterThan(200)
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const samples = sampleTexts('secret-shapes', seed)
        const missed = samples.filter((sample) => isLeaked(sample, redact(sample.text)))
        expect(
          missed.length / samples.length,
          missed.map(({ text }) => text).join('\n'),
        ).toBeLessThan(0.05)
      }),
      { numRuns: 20 },
    )
  })

  it('changes at most 3 of 100 texts that have no secret in them', () => {
    expect(sampleTexts('innocent-texts', 1).length).toBeGreaterThan(200)
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const samples = sampleTexts('innocent-texts', seed)
        const changed = samples.filter(({ text }) => redact(text) !== text)
        expect(
          changed.length / samples.length,
          changed.map(({ text }) => text).join('\n'),
        ).toBeLessThan(0.03)
      }),
      { numRuns: 20 },
    )
  })

  it('finds what was written down before its rules were, and leaves the innocent alone', () => {
    const lists = [1, 2, 3, 4, 5, 6, 7, 8]
    const secrets = lists.flatMap((list) => sampleTexts(`strangers/secrets-${list}`, 1))
    const missed = secrets.filter((sample) => isLeaked(sample, redact(sample.text)))
    const innocents = lists.flatMap((list) => sampleTexts(`strangers/innocents-${list}`, 1))
    const changed = innocents.filter(({ text }) => redact(text) !== text)
    const textsOf = (samples: typeof secrets) => samples.map(({ text }) => text).join('\n')
    expect(secrets.length).toBeGreaterThan(500)
    expect(missed.length / secrets.length, textsOf(missed)).toBeLessThan(0.05)
    expect(changed.length / innocents.length, textsOf(changed)).toBeLessThan(0.01)
  })

  it('changes nothing more when it is asked again', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        for (const { text } of sampleTexts('secret-shapes', seed)) {
          const clean = redact(text)
          expect(redact(clean)).toBe(clean)
        }
      }),
      { numRuns: 5 },
    )
  })

  it('finds a secret in the middle of a text, in JSON and in a query as it does alone', () => {
    const frames = [
      (text: string) => `Before it: ${text}\nand after it.`,
      (text: string) => JSON.stringify({ level: 'info', message: `got\n${text}` }),
      (text: string) => `- \`${text}\``,
    ]
    for (const frame of frames) {
      const samples = sampleTexts('secret-shapes', 7)
      const missed = samples.filter((sample) => isLeaked(sample, redact(frame(sample.text))))
      expect(
        missed.length / samples.length,
        missed.map(({ text }) => frame(text)).join('\n'),
      ).toBeLessThan(0.05)
    }
  })
})

describe('the beginning of a text', () => {
  const token = `ghp_${'a1B2c3D4e5'.repeat(4)}`

  it('shows nothing of a secret that the cut goes through, and nothing behind the cut', () => {
    for (let length = 0; length < 60; length++) {
      const shown = redactBeginning(`use ${token} to push, ${'x '.repeat(10_000)}`, length)
      expect(shown).not.toContain(token.slice(0, 8))
      expect(shown.replace(/\[redacted:[\w-]+\]/, '')).not.toContain(
        'push'.repeat(length < 50 ? 1 : 9),
      )
    }
  })

  it('is all that is read of what a log shows', () => {
    const huge = 'a-'.repeat(20_000_000)
    expect(loggable({ text: `${huge}://x` })).toEqual({
      text: `${'a-'.repeat(100)}… (${huge.length + 4} characters)`,
    })
  })

  it('hides in a log the beginning of a secret of any length', () => {
    const secret = 'q7Zk'.repeat(5_000)
    expect(JSON.stringify(loggable({ text: `DB_PASSWORD=${secret}` }))).not.toContain('q7Zk')
  })
})
