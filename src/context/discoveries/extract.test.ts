import { describe, expect, it } from 'vitest'
import { extractDiscoveries } from './extract.ts'

const types = (...texts: string[]) => extractDiscoveries(texts).map(({ type }) => type)

describe('extractDiscoveries', () => {
  it.each([
    ['We use zod for validation of every request.', 'pattern'],
    ['Convention: file names are kebab-case.', 'pattern'],
    ['Handlers must never touch the database directly.', 'rule'],
    ['Rule: every list has a limit.', 'rule'],
    ['Requirement: it works offline.', 'rule'],
    ['We decided to keep sessions in Redis.', 'decision'],
    ['In the end we went with SQLite because it needs no server.', 'decision'],
    ['We switched to pnpm last week.', 'decision'],
    ['Bug: the watcher fires twice on macOS.', 'issue'],
    ['Fixed the refresh race by taking a mutex around it.', 'issue'],
  ])('C14 draws from %j a %s', (text, type) => {
    expect(types(text)).toEqual([type])
  })

  it.each([
    'Should we have decided to use Redis?',
    'Hello, how are you today, all fine here.',
    '```ts\n// Rule: this is code\n```',
    '> Decision: quoted from elsewhere and not ours',
    'Rule: the key is sk-abcdefghijklmnop1234567890',
    'Bug: x',
  ])('C14 draws nothing from %j', (text) => {
    expect(types(text)).toEqual([])
  })

  it('C14 orders issue, decision, rule, pattern, and stops at ten', () => {
    expect(
      types(
        'We use vitest for tests. Rule: no skipped tests allowed. We decided to drop Jest. Bug: coverage is wrong on Windows.',
      ),
    ).toEqual(['issue', 'decision', 'rule', 'pattern'])
    const words = 'alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima'.split(
      ' ',
    )
    expect(
      types(...words.map((word) => `We decided to move ${word} ${word}s next to ${word}ing.`)),
    ).toHaveLength(10)
  })

  it('C14 takes the module from the words around the match, not from the first path in the text', () => {
    const [found] = extractDiscoveries([
      'See src/billing/invoice.ts for the totals.\n\nSome other talk in between.\n\nWe decided to cache tokens in src/auth/token.ts for an hour.',
    ])
    expect(found).toMatchObject({ module: 'auth', paths: ['src/auth/token.ts'] })
    expect(extractDiscoveries(['We decided to split the payments module in two.'])[0]?.module).toBe(
      'payments',
    )
  })

  it('C14 drops repetitions', () => {
    expect(
      types('We decided to keep sessions in Redis.', 'We decided to keep the sessions in Redis!'),
    ).toEqual(['decision'])
  })

  it('comes to an end on hostile text', () => {
    const hostile = [
      'fixed '.repeat(20_000),
      'a/'.repeat(50_000),
      'we use '.repeat(20_000),
      '`'.repeat(10_000),
      'x'.repeat(200_000),
    ]
    expect(Array.isArray(extractDiscoveries(hostile))).toBe(true)
  })
})
