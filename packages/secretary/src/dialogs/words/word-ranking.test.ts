import { describe, expect, it } from 'vitest'
import { searchedText, wordRanking, wordsOf } from './word-ranking.ts'

const texts = [
  'Add a dark theme to the settings page',
  'Why is the upload so slow?',
  'Rename darkTheme to nightTheme everywhere',
  'Напиши тесты для проверки формы',
  '修复登录问题',
  'Settings, settings, settings',
]
const best = (query: string) => {
  const ranking = wordRanking<string>(query)
  for (const text of texts) ranking.add(text, searchedText(text))
  return ranking.ranked().map(({ item }) => item)
}

describe('ranking by words', () => {
  it('puts the text that holds more and rarer words first', () => {
    expect(best('dark theme settings')[0]).toBe(texts[0])
    expect(best('slow uploads')).toEqual([texts[1]])
  })

  it('counts a word as often as it is said, also twice in a row', () => {
    const ranking = wordRanking<string>('settings')
    const page = 'the settings of the page here'
    const often = 'settings settings settings of here'
    for (const text of [page, often, 'something else that is said'])
      ranking.add(text, searchedText(text))
    expect(ranking.ranked().map(({ item }) => item)).toEqual([often, page])
  })

  it('finds compound names, other endings and other scripts', () => {
    expect(best('themes')).toContain(texts[2])
    expect(best('проверка форм тест')[0]).toBe(texts[3])
    expect(best('登录')).toEqual([texts[4]])
  })

  it('finds nothing for words that nobody used, and nothing for none', () => {
    expect(best('kubernetes')).toEqual([])
    expect(best('?!')).toEqual([])
    expect(wordsOf('')).toEqual([])
  })
})
