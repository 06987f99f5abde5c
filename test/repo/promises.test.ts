import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { helpSentences, readmeSentences } from './install-sentences.ts'

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

const json = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))
const proven: Record<string, { proven: string[] }> = json('docs/agents.json')

describe('what `init --help` and the install part of the README say', () => {
  const rows: Record<string, string[]> = json('test/repo/install-proofs.json')
  const inCi = readFileSync(join(root, '.ci/run'), 'utf8').split(/\n| \| /)

  /** A test by its file and title, a proof of an agent by its name, or a command that continuous integration runs. */
  const isCarriedOut = (proof: string) => {
    const [file = '', title] = proof.split(' › ')
    if (title === undefined) return inCi.includes(proof)
    const [, agent] = /^agents\/(.+)$/.exec(file) ?? []
    if (agent) return proven[agent]?.proven.includes(title) ?? false
    const path = join(root, /^(src|apps)\//.test(file) ? `${file}.test.ts` : placeOf(file))
    return existsSync(path) && readFileSync(path, 'utf8').includes(title)
  }

  it('is carried out by tests that exist, sentence by sentence', () => {
    const said = [...helpSentences(), ...readmeSentences()]
    expect(said.length).toBeGreaterThan(40)
    expect(said.filter((sentence) => !(rows[sentence]?.length ?? 0))).toEqual([])
    expect(Object.keys(rows).filter((sentence) => !said.includes(sentence))).toEqual([])
    const proofs = Object.values(rows).flat()
    expect(
      proofs.filter((proof) => !proof.startsWith('no claim: ') && !isCarriedOut(proof)),
    ).toEqual([])
  })
})
