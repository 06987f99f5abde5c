// Pairs of an English message and its translation, from the catalogues in a git directory: gettext (.po), XLIFF, Java properties, and JSON
// whose keys are the English messages or that has an English file beside it.
import { execFileSync } from 'node:child_process'
import { englishPaths, keyedJsonPairs, parsed, propertyPairs } from './keyed-catalogues.mjs'

/** How projects spell a language in a path, after its two letters. */
const REGIONS = {
  uk: ['UA'],
  pt: ['BR', 'PT'],
  zh: ['CN', 'Hans', 'hans', 'cn', 'Hans_CN'],
  ja: ['JP'],
  ko: ['KR'],
}
const spelling = (language) =>
  `${language}(?:[-_](?:${(REGIONS[language] ?? [language.toUpperCase()]).join('|')}))?`
/** Samples, tests, and what is licensed otherwise than the rest of its repository. */
const LEFT_OUT = /(?:^|\/)(?:node_modules|tests?|fixtures|ee|enterprise)\//

export function cataloguePairs(gitDirectory, language) {
  const git = (...args) =>
    execFileSync('git', [`--git-dir=${gitDirectory}`, ...args], { maxBuffer: 1 << 30 }).toString()
  const paths = git('ls-tree', '-r', '--name-only', 'HEAD').split('\n')
  const known = new Set(paths)
  const name = spelling(language)
  const ofLanguage = new RegExp(
    `(?:^|[/._-])${name}(?:(?:[.]i18n)?[.](?:po|xlf|properties|json)|/(?:LC_MESSAGES|translations)/.*|/[^/]+[.]json)$`,
  )
  const read = (path) => git('show', `HEAD:${path}`)
  const pairs = []
  for (const path of paths.filter((one) => ofLanguage.test(one) && !LEFT_OUT.test(one))) {
    const english = () => englishPaths(path, name).find((one) => one !== path && known.has(one))
    if (/\.po$/.test(path)) pairs.push(...poPairs(read(path)))
    else if (/\.xlf$/.test(path)) pairs.push(...xliffPairs(read(path)))
    else if (/translations.*\.json$/.test(path)) pairs.push(...jsonPairs(read(path)))
    else if (/\.json$/.test(path) && english())
      pairs.push(...keyedJsonPairs(read(english()), read(path)))
    else if (/\.properties$/.test(path) && english())
      pairs.push(...propertyPairs(read(english()), read(path)))
  }
  return pairs.filter(([from, to]) => from && to && from !== to)
}

const unquoted = (text) =>
  [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)]
    .map(([, part]) => part.replace(/\\[nt]/g, ' ').replace(/\\(.)/g, '$1'))
    .join('')

function poPairs(text) {
  const pairs = []
  for (const block of text.split(/\r?\n\r?\n+/)) {
    if (/^#,.*fuzzy/m.test(block) || /^#~/m.test(block)) continue
    const part = (name) => {
      const found = new RegExp(`^${name} ((?:".*"\\s*)+)`, 'm').exec(block)
      return found ? unquoted(found[1]) : ''
    }
    const single = part('msgid')
    pairs.push([single, part('msgstr') || part('msgstr\\[0\\]')])
    const plural = part('msgid_plural')
    if (plural)
      pairs.push([plural, part('msgstr\\[2\\]') || part('msgstr\\[1\\]') || part('msgstr\\[0\\]')])
  }
  return pairs
}

function xliffPairs(text) {
  const plain = (xml) => xml.replace(/<[^>]+>|&\w+;/g, ' ')
  return [
    ...text.matchAll(/<source>([\s\S]*?)<\/source>\s*<target[^>]*>([\s\S]*?)<\/target>/g),
  ].map(([, from, to]) => [plain(from), plain(to)])
}

/** Flat, or a bundle of a language pack inside; keys that are no messages have no spaces. */
function jsonPairs(text) {
  const whole = parsed(text)
  const messages = whole.contents?.bundle ?? whole
  return Object.entries(messages).flatMap(([from, to]) => {
    const translated = typeof to === 'string' ? to : to?.message
    return typeof translated === 'string' && /[a-z]/i.test(from) ? [[from, translated]] : []
  })
}
