import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import russian from '../l10n/bundle.l10n.ru.json' with { type: 'json' }

const folder = fileURLToPath(new URL('.', import.meta.url))
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(`${folder}${path}`, 'utf8') }))
const said = (text: string) =>
  [...text.matchAll(/l10n\.t\(\s*'((?:\\.|[^'\\])*)'/g)].map(([, words = '']) => words)

describe('what the extension says', () => {
  it('can be looked up: each text is written out where it is said', () => {
    for (const { path, text } of sources)
      expect(said(text).length, path).toBe(text.split('l10n.t(').length - 1)
  })

  it('is in Russian too, and nothing is that nobody says', () => {
    const all = new Set(sources.flatMap(({ text }) => said(text)))
    expect(Object.keys(russian).sort()).toEqual([...all].sort())
  })

  it('keeps the places of what is filled in', () => {
    const places = (text: string) => (text.match(/\{\d\}/g) ?? []).sort()
    for (const [english, text] of Object.entries(russian))
      for (const form of text.split('|')) expect(places(form), english).toEqual(places(english))
  })

  it('is never a text of one language in a message, a box or a list', () => {
    const raw =
      /(show\w+Message|setStatusBarMessage|offer|new TreeItem|stream\.markdown)\(\s*(['"]|`[^$`]*[A-Za-z]{3})|\b(title|prompt|placeHolder|detail|tooltip|contentText):\s*['"][A-Z]/
    for (const { path, text } of sources) expect(raw.exec(text)?.[0], path).toBeUndefined()
  })
})
