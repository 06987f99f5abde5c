import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = new URL('../..', import.meta.url).pathname
const page = readFileSync(join(root, 'docs/security.md'), 'utf8')
const [promises = '', proof = ''] = page.split('\n## Proof\n')
const rows = proof.split('\n').filter((line) => /^\| (?!promise|---)/.test(line))

/** `e2e/roles` is a test of its own, `src/…` one beside its source. */
const placeOf = (name: string) => `${name.startsWith('src/') ? name : `test/${name}`}.test.ts`

describe('what docs/security.md promises', () => {
  it('is attacked by tests that exist', () => {
    expect(rows.length).toBeGreaterThan(8)
    const named = rows.map((row) => {
      const attackers = row.split(' | ')[1] ?? ''
      return [...attackers.matchAll(/`([\w/-]+)`/g)].map(([, name = '']) => placeOf(name))
    })
    expect(named.filter((paths) => paths.length === 0)).toEqual([])
    expect(named.flat().filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  it('has a row for each guarantee', () => {
    const guarantees = [...promises.matchAll(/^\*\*(.+?)\.\*\*/gm)].map(([, title = '']) => title)
    expect(guarantees.length).toBeGreaterThan(5)
    expect(guarantees.filter((title) => !proof.includes(`**${title}**`))).toEqual([])
  })
})
