import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = new URL('../..', import.meta.url).pathname
const text = (path: string) => readFileSync(join(root, path), 'utf8')
const matches = (pattern: RegExp, of: string) =>
  [...of.matchAll(pattern)].map(([, one = '']) => one)

/** Ruled out for one idea, but also the usual word for another: no machine can tell which is meant. */
const AMBIGUOUS: Readonly<Record<string, string>> = {
  chat: 'the surface, and part of the tool names that the contract fixes',
  command: 'what a person types in a terminal',
  context: 'the family',
  database: 'SQLite or PostgreSQL',
  file: 'a file on disk',
  module: 'a folder of the source',
  prompt: "MCP's own word for what the guide offers",
  query: 'what is searched for, or sent to a database',
  session: 'the id of a dialog, as the contract names it',
}

const [definitions = ''] = text('docs/glossary.md').split('\n## ')
const rows = [...definitions.matchAll(/^\| (?!word)([a-z]+) \| .+ \| (.+) \|$/gm)]
const terms = rows.map(([, term = '']) => term)
const avoided = rows.flatMap(([, , not = '']) => not.replace(/ \(.*?\)/g, '').split(', '))

const pages = execFileSync('git', ['ls-files', 'docs/**.md', 'apps/*/README.md', ':(glob)*.md'], {
  cwd: root,
  encoding: 'utf8',
})
const withoutCode = (page: string) => page.replace(/^(```+)[\s\S]*?^\1/gm, '')
// The headings of docs/tools.md are the names of the tools.
const headings = matches(/(.+\.md)\n/g, pages).flatMap((path) =>
  matches(/^#+ (.+)$/gm, withoutCode(text(path))),
)
const settings = matches(/^\| `(SECRETARY_\w+)`/gm, text('docs/configuration.md'))

it('the glossary defines each word once', () => {
  expect(terms.length).toBeGreaterThan(20)
  expect(terms).toEqual([...new Set(terms)])
})

it('tool names, settings and headings use no word that the glossary rules out', () => {
  expect(headings).toContain('`read_file`')
  expect(settings).toContain('SECRETARY_HOME')
  const ruledOut = avoided.filter((word) => !terms.includes(word) && !(word in AMBIGUOUS))
  const wordsOf = (name: string) => name.toLowerCase().match(/[a-z]+?(?=s?(?![a-z]))/g) ?? []
  const uses = [...headings, ...settings].filter((name) =>
    wordsOf(name).some((word) => ruledOut.includes(word)),
  )
  expect(uses).toEqual([])
})

it('every exception is about a word of the glossary', () => {
  expect(Object.keys(AMBIGUOUS).filter((word) => !avoided.includes(word))).toEqual([])
})

it('a word of the glossary names at most one type', () => {
  const named = terms.map((term) => term.charAt(0).toUpperCase() + term.slice(1)).join('|')
  const pattern = `^(export )?(abstract )?(interface|type|class) (${named})\\b`
  const declared = execFileSync('git', ['grep', '-hoE', pattern, '--', 'src'], {
    cwd: root,
    encoding: 'utf8',
  })
  const types = matches(/(\w+)\n/g, declared)
  expect(types).toContain('Turn')
  expect(types.filter((type, place) => types.indexOf(type) !== place)).toEqual([])
})
