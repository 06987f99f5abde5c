import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** What engines that speak PostgreSQL do not all have, by how it is written in a statement. */
const UNCOMMON: Readonly<Record<string, RegExp>> = {
  pg_advisory_xact_lock: /pg_(?:try_)?advisory_\w+/,
  LISTEN: /\blisten \$|`listen|pg_notify/i,
  'generated always as identity': /generated (?:always|by default) as identity/,
  'on conflict': /on conflict|onConflict/,
  'partial indexes': /create (?:unique )?index[^`]* where /,
  'full-text search': /to_tsvector|tsquery|@@/,
  'bit strings': /bit_count\(|::bit\(/,
  'covering indexes': /create index[^`]* include \(/,
  vectors: /create extension|<=>|<->|<~>/,
  'skip locked': /skip locked|skipLocked/i,
  'row locks': /\bfor update\b|forUpdate\(/,
  triggers: /create (?:or replace )?(?:trigger|function)/,
  'table inheritance': /\binherits\s*\(|partition (?:by|of)/,
  'temporary tables': /create temp(?:orary)? table|unlogged/,
  'lateral joins': /\blateral\b|innerJoinLateral/,
  cursors: /declare \w+ cursor/,
}

it('what we use of PostgreSQL beyond the common is in docs/scale.md, and nothing else is', () => {
  const paths = execFileSync('git', ['ls-files', 'packages'], {
    encoding: 'utf8',
  })
  const text = paths
    .split('\n')
    .filter(
      (path) =>
        /\/(?:store|storage|postgres|usage|serve)\/|^packages\/core\//.test(path) &&
        path.endsWith('.ts') &&
        !path.endsWith('.test.ts') &&
        !path.includes('sqlite'),
    )
    .map((path) => readFileSync(path, 'utf8').replace(/^\s*(?:\/\/|\/?\*).*$/gm, ''))
    .join('\n')
  const used = Object.keys(UNCOMMON).filter((name) => UNCOMMON[name]?.test(text))
  const table = readFileSync('docs/scale.md', 'utf8').split('| what we use |')[1] ?? ''
  expect(used.filter((name) => !table.includes(name))).toEqual([])
  expect(Object.keys(UNCOMMON).filter((name) => table.includes(name))).toEqual(used)
})
