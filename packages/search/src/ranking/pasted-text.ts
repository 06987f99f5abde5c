import { STOP_WORDS, stem } from '../text/english.ts'

export const FEWEST_PASTED_WORDS = 3
const FEWEST_IN_PART = 4
const MAX_WORDS = 80
const MAX_CONTENT_WORDS = 1_200
/** A small word stands everywhere. */
const SMALL_WORTH = 0.35
/** What stands between two words that match costs little: there a name or a number was filled in. */
const GAP = 0.15
/** Where the text says that something is filled in, up to so many words of the message cost nothing. */
const MAX_FILLED = 6
/** What is filled in tells nothing: this much must stand there itself. */
const LEAST_WORTH = 1.5
/** Below this share a text only uses some of the same words in the same order. */
const LEAST_SHARE = 0.65
/** Up to rounding. */
const WHOLE = 0.995
/** Nobody writes a whole sentence again by chance. */
const WHOLE_BONUS = 2
/** Of a message with something filled in, more than this share must be the program's own words. */
const LEAST_TOLD = 0.4

const QUESTION = /^(?:how|where|what|which|why|when|who|does|do|is|are|can)\b/i
const WORD = /\p{L}+(?:'\p{L}+)?/gu
const FILLED = '\0'
const WORD_OR_FILLED = /\p{L}+(?:'\p{L}+)?|\0/gu
/** `%s`, `%(name)d`, `{name}`, `${name}`, `#{name}`, `{{ name }}`, and a name between two pieces of text. */
const PLACEHOLDERS =
  /%(?:\([^)\n]{0,40}\))?[-+0#]{0,3}\d{0,3}(?:\.\d{1,2})?(?:hh?|ll?|z)?[sdiuoxfgcrqv@]|[$#]?\{\{?\s?[^\s{}]{0,40}\s?\}?\}|["'`]\s?[+.]\s?[\w.()[\]]{1,40}\s?[+.]\s?["'`]/g

/** What may have been pasted. */
export interface Message {
  readonly words: readonly string[]
  /** It is asked in a person's own words, unless all of it stands somewhere. */
  readonly asks: boolean
}

export function messageIn(text: string): Message {
  return {
    words: (text.toLowerCase().match(WORD) ?? []).filter(isTelling).slice(0, MAX_WORDS),
    asks: QUESTION.test(text.trim()),
  }
}

/**
 * How much of a message stands in a text, word after word: up to 1 where some of it is missing, more where all of it is there. Other
 * words may stand between, above all where the text has a placeholder; words in another order do not count.
 */
export function pastedShare({ words: asked, asks }: Message, content: string): number {
  if (asked.length < FEWEST_PASTED_WORDS) return 0
  const worth = asked.map((word) => (STOP_WORDS.has(stem(word)) ? SMALL_WORTH : 1))
  const plain = wordsIn(content.toLowerCase(), WORD)
  const there = new Set(plain)
  if (sumOf(worth.filter((_, at) => there.has(asked[at] ?? ''))) < LEAST_WORTH) return 0
  const total = sumOf(worth)
  const written = bestAligned(asked, worth, plain)
  if (written.share > WHOLE) return wholeWorth(written.told)
  // Code is full of braces: only what is whole but for what was filled in says anything.
  const open = withPlaceholders(content)
  const shown = open && bestAligned(asked, worth, open)
  if (shown && shown.share > WHOLE && shown.told > LEAST_TOLD * total) return wholeWorth(shown.told)
  const isInPart = !asks && asked.length >= FEWEST_IN_PART && written.share >= LEAST_SHARE
  return isInPart ? written.share : 0
}

function wholeWorth(told: number): number {
  return 1 + WHOLE_BONUS * Math.min(1, (told - 1) / 3)
}

/** Undefined where nothing is filled in. */
function withPlaceholders(content: string): string[] | undefined {
  const text = content.toLowerCase()
  const marked = text.replace(PLACEHOLDERS, ` ${FILLED} `)
  return marked === text ? undefined : wordsIn(marked, WORD_OR_FILLED)
}

function wordsIn(text: string, pattern: RegExp): string[] {
  return (text.match(pattern) ?? [])
    .filter((word) => word === FILLED || isTelling(word))
    .slice(0, MAX_CONTENT_WORDS)
}

function isTelling(word: string): boolean {
  return word.length > 1 || /\p{Lo}/u.test(word)
}

/** Local alignment: the best that ends at each word of the message, for the words of the content so far. */
function bestAligned(
  asked: readonly string[],
  worth: readonly number[],
  words: readonly string[],
): Aligned {
  const total = sumOf(worth)
  let row = new Float32Array(asked.length + 1)
  /** What of the message was filled in, on the way to each of these. */
  let filled = new Float32Array(asked.length + 1)
  let best: Aligned = { share: 0, told: 0 }
  for (const word of words) {
    const next = new Float32Array(asked.length + 1)
    const nextFilled = new Float32Array(asked.length + 1)
    for (let at = 1; at <= asked.length; at++) {
      let value = 0
      let skipped = 0
      const take = (candidate: number, itsFilled: number) => {
        if (candidate <= value) return
        value = candidate
        skipped = itsFilled
      }
      if (word === FILLED) {
        let absorbed = 0
        for (let from = at; from >= Math.max(0, at - MAX_FILLED); from--) {
          if (from < at) absorbed += worth[from] ?? 0
          take(row[from] ?? 0, (filled[from] ?? 0) + absorbed)
        }
      } else {
        if (word === asked[at - 1])
          take((row[at - 1] ?? 0) + (worth[at - 1] ?? 0), filled[at - 1] ?? 0)
        take((row[at] ?? 0) - GAP, filled[at] ?? 0)
      }
      take((next[at - 1] ?? 0) - GAP, nextFilled[at - 1] ?? 0)
      next[at] = value
      nextFilled[at] = skipped
      const share = value / (total - skipped)
      if (value >= LEAST_WORTH && isBetter({ share, told: value }, best))
        best = { share, told: value }
    }
    row = next
    filled = nextFilled
  }
  return best
}

interface Aligned {
  readonly share: number
  /** What the words are worth that stand there themselves. */
  readonly told: number
}

/** Of two that are whole, the one of which less was filled in. */
function isBetter(one: Aligned, other: Aligned): boolean {
  if (one.share > WHOLE && other.share > WHOLE) return one.told > other.told
  return one.share > other.share
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}
