// Learns from message catalogues which English words stand for the words of other languages: assets/bridges/.
//
//   node scripts/distil-bridges.mjs GITDIR…     git directories of projects with permissive licences: assets/bridges/NOTICE.md names them
//
// A catalogue says the same thing in English and in another language. The words of both are aligned (IBM Model 1, both directions), and for
// each stem the English words are kept that it stands for in both. A stem that stands for small words only is kept with nothing: it says
// which language a text is in. Also writes the most common words of each language in Latin letters, by which it is recognised.
import { mkdirSync, writeFileSync } from 'node:fs'
import { brotliCompressSync } from 'node:zlib'
import { translationTable } from './distil/align-words.mjs'
import { cataloguePairs } from './distil/catalogue-pairs.mjs'
import { runBundled } from './run-bundled.mjs'

const MAX_SENTENCE = 40
const FEWEST_OCCURRENCES = 3
const LEAST_SCORE = 0.03
/** A rare word for a common thing: the way back is unlikely, the way there is not. */
const LEAST_CHANCE = 0.12
const MAX_TRANSLATIONS = 3
const SHARE_OF_BEST = 0.25
const MARKS = 1_000
const IN_LATIN_LETTERS = new Set(['de', 'fr', 'es', 'pt', 'it', 'pl'])
const SMALL_WORDS = new Set(
  'a an and any are as at be been but by can cannot could did do does for from had has have how if in into is it its may me might must my no not of on or our shall should so such than that the their them then there these they this those to too us was we were what when where which who will with would you your yours already also just only please'.split(
    ' ',
  ),
)
const MARKUP = /%\([^)]*\)\w|%[-\d.]*l?[sdiufxlc]+|\$?\{[^}]*\}|<[^>]*>|&\w+;|https?:\S+|\\[a-z]/g

const { LANGUAGES } = await productModule('text/light-stem.ts')
const { wordsOf } = await productModule('languages/foreign-words.ts')
const { stem } = await productModule('text/english.ts')
const gits = process.argv.slice(2)
mkdirSync('assets/bridges', { recursive: true })
const englishCounts = new Map()
const marks = new Map()
for (const language of LANGUAGES) {
  const pairs = readPairs(language)
  const bridge = bridgeOf(pairs)
  const lines = [...bridge].map(([word, translations]) => [word, ...translations].join(' ')).sort()
  const packed = brotliCompressSync(`${lines.join('\n')}\n`)
  writeFileSync(`assets/bridges/${language}.br`, packed)
  if (IN_LATIN_LETTERS.has(language)) marks.set(language, commonWords(pairs))
  process.stdout.write(
    `${language}: ${pairs.length} pairs, ${lines.length} stems, ${packed.length} bytes\n`,
  )
}
writeMarks()

function productModule(path) {
  return runBundled(`packages/search/src/${path}`, (module) => module)
}

function readPairs(language) {
  const seen = new Set()
  const pairs = []
  for (const [english, translated] of gits.flatMap((git) => cataloguePairs(git, language))) {
    const key = `${english}\n${translated}`
    if (seen.has(key)) continue
    seen.add(key)
    const to = englishWords(english)
    const from = wordsOf(translated.replace(MARKUP, ' '), language)
    if (to.length === 0 || from.length === 0) continue
    for (const word of to) englishCounts.set(word, (englishCounts.get(word) ?? 0) + 1)
    if (to.length <= MAX_SENTENCE && from.length <= MAX_SENTENCE) pairs.push({ from, to })
  }
  return pairs
}

function englishWords(text) {
  return (text.replace(MARKUP, ' ').match(/[a-z]+(?:'[a-z]+)?/gi) ?? [])
    .map((word) => word.toLowerCase().replace(/'.*$/, ''))
    .filter(Boolean)
}

function bridgeOf(pairs) {
  const spelled = new Map()
  const counts = new Map()
  const stems = pairs.map(({ from, to }) => {
    for (const word of to) {
      const forms = spelled.get(stem(word)) ?? new Map()
      spelled.set(stem(word), forms.set(word, (forms.get(word) ?? 0) + 1))
    }
    for (const { stem: key } of from) counts.set(key, (counts.get(key) ?? 0) + 1)
    return [from.map(({ stem: key }) => key), to.map(stem)]
  })
  const forward = translationTable(stems)
  const backward = translationTable(stems.map(([from, to]) => [to, from]))
  const bridge = new Map()
  for (const [word, row] of forward) {
    if (word === '' || word.length > 30 || (counts.get(word) ?? 0) < FEWEST_OCCURRENCES) continue
    const scored = [...row]
      .filter(([, chance]) => chance >= LEAST_CHANCE)
      .map(([to, chance]) => [
        commonest(spelled.get(to)),
        Math.sqrt(chance * (backward.get(to)?.get(word) ?? 0)),
      ])
      .filter(([, score]) => score >= LEAST_SCORE)
      .sort(([, a], [, b]) => b - a)
    const best = scored[0]?.[1] ?? 0
    const telling = scored.filter(
      ([to, score]) => !SMALL_WORDS.has(to) && to.length > 1 && score >= best * SHARE_OF_BEST,
    )
    if (scored.length > 0)
      bridge.set(
        word,
        telling.slice(0, MAX_TRANSLATIONS).map(([to]) => to),
      )
  }
  return bridge
}

function commonest(forms) {
  return [...forms].sort(([, a], [, b]) => b - a)[0][0]
}

function commonWords(pairs) {
  const counts = new Map()
  for (const { from } of pairs)
    for (const { word } of from)
      counts.set(word.toLowerCase(), (counts.get(word.toLowerCase()) ?? 0) + 1)
  return counts
}

/** Common words that English does not have. */
function writeMarks() {
  const entries = [...marks].map(([language, counts]) => {
    const words = [...counts]
      .filter(
        ([word, count]) =>
          word.length > 1 && count > (20 * (englishCounts.get(word) ?? 0)) / LANGUAGES.length,
      )
      .sort(([, a], [, b]) => b - a)
      .slice(0, MARKS)
      .map(([word]) => word)
    return `  ${language}: '${words.sort().join(' ')}',\n`
  })
  writeFileSync(
    'packages/search/src/languages/frequent-words.ts',
    `/** Common words of languages in Latin letters that English does not have. Written by scripts/distil-bridges.mjs. */
export const COMMON_WORDS = {\n${entries.join('')}} as const\n`,
  )
}
