import { moduleOf } from '../../search/module-of.ts'
import type { DiscoveryType } from './discovery.ts'
import { saidOf } from './likeness.ts'
import { sentencesOf } from './sentences.ts'

export interface Extracted {
  readonly type: DiscoveryType
  readonly content: string
  readonly confidence: number
  readonly module?: string
  /** Paths named in the words around. */
  readonly paths: readonly string[]
  /** Which of the texts says it, from 0. */
  readonly place: number
}

interface Rule {
  readonly type: DiscoveryType
  readonly pattern: RegExp
  readonly confidence: number
}

/** What counts most comes first; a sentence is taken once, by the first rule that fits. */
const RULES: readonly Rule[] = [
  { type: 'issue', pattern: /^(?:known )?(?:bug|issue|problem|root cause)\s*:/i, confidence: 0.9 },
  {
    type: 'issue',
    pattern: /\b(?:fixed|fixes|solved|resolved)\b.{3,120}?\bby\b\s+\w+/i,
    confidence: 0.8,
  },
  {
    type: 'issue',
    pattern:
      /\b(?:the|a) (?:bug|root cause|race condition|memory leak)\b.{0,60}\b(?:is|was|in|when|caused)\b/i,
    confidence: 0.6,
  },
  { type: 'decision', pattern: /^decision\s*:/i, confidence: 0.95 },
  {
    type: 'decision',
    pattern: /\b(?:(?:we|i|team) (?:have )?decided|decided) (?:to|on|against)\b/i,
    confidence: 0.85,
  },
  {
    type: 'decision',
    pattern:
      /\b(?:we|i|they)(?:'ve| have)? (?:chose|chosen|went with|gone with|switched to|picked|settled on)\b/i,
    confidence: 0.8,
  },
  {
    type: 'decision',
    pattern: /\b(?:chose|went with|switched to|let'?s go with|settled on)\b\s+\S+/i,
    confidence: 0.65,
  },
  { type: 'rule', pattern: /^(?:rule|requirement|constraint)\s*:/i, confidence: 0.95 },
  {
    type: 'rule',
    pattern:
      /\b(?:must|should) (?:always|never)\b|\b(?:always|never) (?:use|write|add|call|commit|import|put|keep|edit|touch|run)\b/i,
    confidence: 0.8,
  },
  { type: 'pattern', pattern: /^(?:convention|pattern|note to self)\s*:/i, confidence: 0.9 },
  {
    type: 'pattern',
    pattern: /\bwe (?:always )?use\b.{2,80}?\b(?:for|to|in)\b/i,
    confidence: 0.75,
  },
]

const ORDER: readonly DiscoveryType[] = ['issue', 'decision', 'rule', 'pattern']
const PATH =
  /(?<![\w/.@-])(?:\.\/)?[\w@.-]+(?:\/[\w@.-]+)+\.[a-z]{1,5}\b|\b[\w-]+\.(?:tsx?|jsx?|mjs|py|go|rs|java|rb|php|cs|cpp|hpp|c|h)\b/gi
const NAMED_MODULE =
  /\b(?:in|of|for|to) (?:the |our )?[`'"]?([\w-]{2,40})[`'"]? (?:module|service|package|component|layer|folder|crate)\b|\b([\w-]{2,40}) (?:module|package|crate)\b/i
/** A long run of letters and digits mixed is more likely a key than a word. */
const LIKE_A_SECRET =
  /\b(?=[\w+/-]*\d)(?=[\w+/-]*[a-z])[\w+/-]{28,}\b|\b(?:sk|ghp|gho|xox[bp])[-_][\w-]{10,}|-----BEGIN|password\s*[:=]/i

export const MOST_OF_A_SESSION = 10

/** What a dialog's texts say that is worth keeping: the most important kinds first, repetitions once, at most ten. */
export function extractDiscoveries(texts: readonly string[]): Extracted[] {
  const found = texts.flatMap((text, place) =>
    sentencesOf(text).flatMap(({ text: sentence, around }) => read(sentence, around, place)),
  )
  found.sort((a, b) => ORDER.indexOf(a.type) - ORDER.indexOf(b.type) || b.confidence - a.confidence)
  const kept = new Map<string, Extracted>()
  for (const candidate of found) {
    if (kept.size >= MOST_OF_A_SESSION) break
    const said = saidOf(candidate.content)
    if (!kept.has(said)) kept.set(said, candidate)
  }
  return [...kept.values()]
}

function read(sentence: string, around: string, place: number): Extracted[] {
  if (LIKE_A_SECRET.test(sentence)) return []
  const rule = RULES.find(({ pattern }) => pattern.test(sentence))
  if (!rule) return []
  const paths = pathsIn(sentence).length > 0 ? pathsIn(sentence) : pathsIn(around)
  const module = moduleNear(sentence) ?? moduleNear(around)
  return [
    {
      type: rule.type,
      content: sentence,
      confidence: rule.confidence,
      paths,
      place,
      ...(module ? { module } : {}),
    },
  ]
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
