import { moduleOf } from '@secretary-mcp/search/ranking/file-role.ts'
import type { DiscoveryType } from './discovery.ts'
import { saidOf } from './likeness.ts'
import { STATEMENTS, type Statements } from './statements.ts'

const MIN_LENGTH = 8
const MAX_LENGTH = 300
/** People do not always begin with a capital letter; scripts without spaces have none. */
const SENTENCE_END =
  /(?<=[.!?])(?<!\b(?:e\.g|i\.e|etc|vs|z\.B|т\.е|т\.д)\.)\s+(?=\S)|(?<=[。！？])/u

export interface Extracted {
  readonly type: DiscoveryType
  readonly content: string
  readonly confidence: number
  readonly module?: string
  /** Paths named in the words around. */
  readonly paths: readonly string[]
  /** Which of the texts says it, from 0. */
  readonly index: number
}

/** What counts most comes first; a sentence is one statement, of the first type that fits. */
const ORDER: readonly DiscoveryType[] = ['issue', 'decision', 'rule', 'pattern']
/** Somebody who writes a label in front of a sentence means it. */
const LABEL_CONFIDENCE = 0.9
const SENTENCE_CONFIDENCE = 0.7
/** Fewer say too little to stand alone. Scripts without spaces are counted by signs. */
const MIN_WORDS = 4
const MIN_SIGNS = 8
const SIGNS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu
/** Addresses, arrows, check marks, markup and prompts are of something copied. */
const COPIED = /https?:\/\/|[→⇒✓✗❯⏺│]|^\s*[{}<>$#|]|=>|[;{]\s*$|:\s*$/
const PATH =
  /(?<![\w/.@-])(?:\.\/)?[\w@.-]+(?:\/[\w@.-]+)+\.[a-z]{1,5}\b|(?<![\w-])[\w-]+\.(?:tsx?|jsx?|mjs|py|go|rs|java|rb|php|cs|cpp|hpp|c|h)\b/gi
const NAMED_MODULE =
  /\b(?:in|of|for|to) (?:the |our )?[`'"]?([\w-]{2,40})[`'"]? (?:module|service|package|component|layer|folder|crate)\b|\b([\w-]{2,40}) (?:module|package|crate)\b/i
/** A long run of letters and digits mixed is more likely a key than a word. */
const LIKE_A_SECRET =
  /(?<![\w+/-])(?=[\w+/-]*\d)(?=[\w+/-]*[a-z])[\w+/-]{28,}\b|\b(?:sk|ghp|gho|xox[bp])[-_][\w-]{10,}|-----BEGIN|password\s*[:=]/i

const MAX_PER_DIALOG = 10

/**
 * What a person stated in a dialog: sentences that say a decision, a rule, a pattern or an issue and mean the same without the ones
 * around them. The most important kinds first, repetitions once. In doubt nothing is drawn.
 */
export function extractDiscoveries(typed: readonly string[]): Extracted[] {
  const found = typed.flatMap((text, index) =>
    sentencesOf(text).flatMap(({ text: sentence, around }) => read(sentence, around, index)),
  )
  found.sort((a, b) => ORDER.indexOf(a.type) - ORDER.indexOf(b.type) || b.confidence - a.confidence)
  const kept = new Map<string, Extracted>()
  for (const candidate of found) {
    if (kept.size >= MAX_PER_DIALOG) break
    const said = saidOf(candidate.content)
    if (!kept.has(said)) kept.set(said, candidate)
  }
  return [...kept.values()]
}

function read(sentence: string, around: string, index: number): Extracted[] {
  if (LIKE_A_SECRET.test(sentence) || COPIED.test(sentence)) return []
  const stated = statedIn(sentence)
  if (!stated) return []
  const paths = pathsIn(sentence).length > 0 ? pathsIn(sentence) : pathsIn(around)
  const module = moduleNear(sentence) ?? moduleNear(around)
  return [{ ...stated, content: sentence, paths, index, ...(module ? { module } : {}) }]
}

function statedIn(sentence: string): Pick<Extracted, 'type' | 'confidence'> | undefined {
  for (const language of STATEMENTS)
    for (const type of ORDER) {
      const label = language.labels[type].exec(sentence)
      if (label) {
        const isWhole = isLongEnough(label[1] ?? '') && standsAlone(label[1] ?? '', language)
        return isWhole ? { type, confidence: LABEL_CONFIDENCE } : undefined
      }
      if (!language.says[type]?.some((pattern) => pattern.test(sentence))) continue
      const isWhole = isLongEnough(sentence) && standsAlone(sentence, language)
      return isWhole ? { type, confidence: SENTENCE_CONFIDENCE } : undefined
    }
  return undefined
}

function isLongEnough(text: string, factor = 1): boolean {
  const signs = text.match(SIGNS)?.length ?? 0
  const words = text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0
  return signs >= MIN_SIGNS * factor || words >= MIN_WORDS * factor
}

function standsAlone(text: string, { leans, passing, points }: Statements): boolean {
  // In a long sentence the last word usually points to an earlier one of the same.
  return !leans.test(text) && !passing.test(text) && (isLongEnough(text, 2) || !points.test(text))
}

export function pathsIn(text: string): string[] {
  return [...new Set((text.match(PATH) ?? []).map((path) => path.replace(/^\.\//, '')))]
}

/** From a module named in so many words, or from the path nearest to the match. */
export function moduleNear(text: string): string | undefined {
  const [, named, bare] = NAMED_MODULE.exec(text) ?? []
  const name = named ?? bare
  if (name && !/^(?:the|this|that|our|a|an|each|every|new|same|other|whole)$/i.test(name))
    return name.toLowerCase()
  const path = pathsIn(text).find((candidate) => candidate.includes('/'))
  return path ? moduleOf(path) : undefined
}

interface Sentence {
  readonly text: string
  /** The sentences on either side, within the same text. */
  readonly around: string
}

/** Prose only: code blocks, quoted output, tables and questions hold no decisions. */
export function sentencesOf(text: string): Sentence[] {
  const prose = text
    .split('```')
    .filter((_, place) => place % 2 === 0)
    .join('\n')
    .replace(
      /^[ \t]*(?:>|\||\d{1,9}[ \t]{0,20}\||at[ \t]{1,20}\S{1,300}[ \t]{0,5}\(|[+-]{3}\s|@@).*$/gm,
      '',
    )
  const all = prose
    .split(/\n+/)
    .flatMap((line) => line.replace(/^\s*(?:[-*+•]|\d+[.)])\s+|^#+\s+/, '').split(SENTENCE_END))
    .map((sentence) =>
      sentence
        .replace(/\s+/g, ' ')
        .replace(/\*\*|__/g, '')
        .trim(),
    )
    .filter(Boolean)
  return all
    .map((sentence, place) => ({
      text: sentence,
      around: [all[place - 1], sentence, all[place + 1]].filter(Boolean).join(' '),
    }))
    .filter(
      ({ text: sentence }) =>
        sentence.length >= MIN_LENGTH && sentence.length <= MAX_LENGTH && !/[?？]$/.test(sentence),
    )
}
