// Pairs of an English message and its translation, from the catalogues in a git directory: gettext (.po), XLIFF, Java properties, and JSON
// whose keys are the English messages.
import { execFileSync } from 'node:child_process'

/** How projects spell a language in a path. */
const SPELLINGS = {
  pt: ['pt', 'pt_BR', 'pt-BR'],
  zh: ['zh', 'zh_CN', 'zh_Hans', 'zh-hans', 'zh-CN'],
  ja: ['ja', 'ja_JP'],
  ko: ['ko', 'ko_KR'],
}
const spellings = (language) =>
  SPELLINGS[language] ?? [
    language,
    `${language}_${language === 'uk' ? 'UA' : language.toUpperCase()}`,
  ]

export function cataloguePairs(gitDirectory, language) {
  const git = (...args) =>
    execFileSync('git', [`--git-dir=${gitDirectory}`, ...args], { maxBuffer: 1 << 30 }).toString()
  const paths = git('ls-tree', '-r', '--name-only', 'HEAD').split('\n')
  const known = new Set(paths)
  const name = spellings(language).join('|')
  const ofLanguage = new RegExp(
    `(?:^|[/._-])(?:${name})(?:[.](?:po|xlf|properties)|/(?:LC_MESSAGES|translations)/.*|/translations[.]json)$`,
  )
  const read = (path) => git('show', `HEAD:${path}`)
  const pairs = []
  for (const path of paths.filter((one) => ofLanguage.test(one))) {
    if (/\.po$/.test(path)) pairs.push(...poPairs(read(path)))
    else if (/\.xlf$/.test(path)) pairs.push(...xliffPairs(read(path)))
    else if (/translations.*\.json$/.test(path)) pairs.push(...jsonPairs(read(path)))
    else if (/\.properties$/.test(path)) {
      const english = [
        path.replace(new RegExp(`_(?:${name})\\.properties$`), '_en.properties'),
        path.replace(new RegExp(`_(?:${name})\\.properties$`), '.properties'),
      ]
        .map((one) => one.replace('resources-community', 'resources'))
        .find((one) => one !== path && known.has(one))
      if (english) pairs.push(...propertyPairs(read(english), read(path)))
    }
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
  const whole = JSON.parse(text.replace(/^\uFEFF/, ''))
  const messages = whole.contents?.bundle ?? whole
  return Object.entries(messages).flatMap(([from, to]) => {
    const translated = typeof to === 'string' ? to : to?.message
    return typeof translated === 'string' && /[a-z]/i.test(from) ? [[from, translated]] : []
  })
}

function propertyPairs(english, translated) {
  const ours = properties(english)
  return [...properties(translated)].map(([key, value]) => [ours.get(key), value])
}

function properties(text) {
  const found = new Map()
  for (const line of text.replace(/\\\r?\n\s*/g, '').split(/\r?\n/)) {
    const entry = /^\s*([^#!=:\s][^=:\s]*)\s*[=:]\s*(.*)$/.exec(line)
    if (!entry) continue
    const value = entry[2].replace(/\\u([0-9a-f]{4})/gi, (_, hex) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    found.set(
      entry[1],
      value
        .replace(/\\[nt]/g, ' ')
        .replace(/\\(.)/g, '$1')
        .replaceAll("''", "'"),
    )
  }
  return found
}
