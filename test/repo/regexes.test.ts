import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { analyseRegex, type FoundRegex, findRestart, regexesIn } from '../support/slow-regexes.ts'

const root = new URL('../..', import.meta.url).pathname
const paths = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'packages', 'apps'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /\.(ts|tsx|mts|mjs|js)$/.test(path))
  .filter((path) => !/\.test\.tsx?$|\/(?:test|scripts)\/|\.d\.ts$/.test(path))
const found = paths.map((path) => regexesIn(path, readFileSync(join(root, path), 'utf8')))
const regexes = found.flatMap((one) => one.regexes)

/** Files whose patterns only see texts that were cut before, and how long these are at most. */
const SHORT_TEXTS: Readonly<Record<string, string>> = {
  'packages/secretary/src/agent/rules/': 'MAX_RULED in parse-intent.ts: 2,000 signs',
  'packages/search/src/chunks/imports-only.ts': 'MAX_LENGTH: 8,000 signs',
}

/** Patterns that are built from what the reader of a file cannot see, and why none of them is slow. */
const BUILT: Readonly<Record<string, string>> = {
  'packages/secretary/src/agent/rules/parse-intent.ts: new RegExp(pattern.source':
    'another pattern of ours, checked there',
  'packages/secretary/src/context/discoveries/extract.ts: new RegExp(words':
    'sentences, in the growth harness',
  'packages/transcripts/src/deeds/runs/runs.ts: new RegExp(written': 'isQuick, on a line of ours',
  'packages/secretary/src/dialogs/sharing/request-sharing.ts: new RegExp(':
    'a join of constants, in the growth harness',
  'packages/search/src/syntax/text-outline.ts: new RegExp(text': 'lines, in the growth harness',
}

const isShort = ({ path }: FoundRegex) =>
  Object.keys(SHORT_TEXTS).some((start) => path.startsWith(start))
const named = ({ path, line, source, flags }: FoundRegex) => `${path}:${line} /${source}/${flags}`

function reportsOf(check: (regex: FoundRegex) => string | undefined): string[] {
  return regexes
    .filter((regex) => !isShort(regex))
    .flatMap((regex) => {
      const report = check(regex)
      return report ? [`${named(regex)}: ${report}`] : []
    })
}

describe('the regular expressions of the product', () => {
  it('are found', () => expect(regexes.length).toBeGreaterThan(500))

  it('are built of texts that are known here, but for a few that say why they are safe', () => {
    const unknown = found.flatMap((one, index) =>
      one.unknown.map((text) => `${paths[index]}: ${text.slice(0, 60)}`),
    )
    expect(unknown).toHaveLength(Object.keys(BUILT).length)
    for (const one of unknown)
      expect(Object.keys(BUILT).some((start) => one.startsWith(start))).toBe(true)
  })

  it('take linear time, as far as their form tells', () => {
    expect(reportsOf(analyseRegex)).toEqual([])
  })

  it('do not begin anew inside of themselves', () => {
    expect(reportsOf(findRestart)).toEqual([])
  })

  it('are recognized as slow if they are', () => {
    const slow = (source: string) => ({ path: '', line: 0, source, flags: 'g' })
    expect(analyseRegex(slow('\\s+$'))).toBeDefined()
    expect(analyseRegex(slow('^(?:a+)+$'))).toBeDefined()
    expect(analyseRegex(slow('(?<!\\s)\\s+$'))).toBeUndefined()
    expect(findRestart(slow('<!--[\\s\\S]*?-->'))).toBeDefined()
    expect(findRestart(slow('“[^“”]*”'))).toBeUndefined()
    expect(findRestart(slow('\\b[\\w-]+\\.ts'))).toBeDefined()
    expect(findRestart(slow('\\b(?=[\\w/]*\\d)[\\w/]{28,}'))).toBeDefined()
    expect(findRestart(slow('(?<![\\w-])[\\w-]+\\.ts'))).toBeUndefined()
  })
})
