import { randomBytes } from 'node:crypto'
import { endedAtWord } from '@secretary-mcp/core/excerpt.ts'

/** Stands for ESC in a colour of our own until it is written. Nobody can write it into a file, a name or a task: it is new in each process. */
const OURS = `\uFDD0${randomBytes(8).toString('hex')}`

const ESC = String.fromCharCode(27)
/**
 * Control characters but for tabs and ends of lines, other ends of lines, and signs that hide text or turn it around. What joins letters
 * and emoji stays.
 */
const UNSAFE =
  /\r(?!\n)|(?![\t\n\r])\p{Cc}|[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu
const COLOUR = new RegExp(`${ESC}(\\[[\\d;]*m)`, 'g')
const OUR_COLOUR = new RegExp(`${OURS}(\\[[\\d;]*m)`, 'g')

/** A colour that we chose, in a form that no file or name on disk can make. */
export function ownColour(styled: string): string {
  return styled.replace(COLOUR, `${OURS}$1`)
}

/** The texts between our colours, and these colours themselves: every second one is a colour. */
function splitAtColours(text: string): string[] {
  return text.split(new RegExp(`(${OURS}\\[[\\d;]*m)`))
}

/** What would move the cursor, change the title, hide or turn words around, written out as `\u001b`. */
export function escapedText(text: string): string {
  return text.replace(UNSAFE, (sign) =>
    Array.from({ length: sign.length }, (_, at) => escaped(sign.charCodeAt(at))).join(''),
  )
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`
}

/** Text for a terminal: nothing in it acts on the terminal but our own colours. JSON writes such signs the same way. */
export function visibleText(text: string): string {
  return escapedText(text).replace(OUR_COLOUR, `${ESC}$1`)
}

const NARROW = /^[\x20-\x7e]*$/
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}\p{Default_Ignorable_Code_Point}]+$/u
const WIDE =
  /^(?![\uff61-\uffdc])(?:\p{Emoji_Presentation}|\p{Regional_Indicator}|\p{Extended_Pictographic}\ufe0f|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Yi}\u3000-\u303e\u30fb\u30fc\uff01-\uff60\uffe0-\uffe6])|^[\d#*]\ufe0f\u20e3/u
/** Finding the characters of a text takes V8 quadratic time, so it is given no more than this at once. */
const MAX_SEGMENTED = 256
let segmenter: Intl.Segmenter | undefined

/** The characters as a person counts them, each with its index. */
function* signsOf(text: string): Generator<{ segment: string; index: number }> {
  // Made when it is first needed: its tables take longer to load than all of our own modules.
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  for (let from = 0; from < text.length; ) {
    const end = endOfPiece(text, from)
    for (const { segment, index } of segmenter.segment(text.slice(from, end)))
      yield { segment, index: from + index }
    from = end
  }
}

/** A piece ends before a Latin letter, digit or blank, if there is one: nearly no character goes on with it. */
function endOfPiece(text: string, from: number): number {
  const most = from + MAX_SEGMENTED
  if (most >= text.length) return text.length
  for (let end = most; end > from + MAX_SEGMENTED / 2; end--)
    if (NARROW.test(text[end] ?? '')) return end
  return /[\udc00-\udfff]/.test(text[most] ?? '') ? most - 1 : most
}

/** How many columns of a terminal a text fills: wide characters and emoji two, marks on letters and our colours none. */
export function textWidth(text: string): number {
  if (NARROW.test(text)) return text.length
  let width = 0
  for (const { segment } of signsOf(withoutColours(text))) width += signWidth(segment)
  return width
}

/** What fits into so many columns: it ends at a word, with "…" where something is missing. */
export function cutToWidth(text: string, columns: number): string {
  if (columns === Number.POSITIVE_INFINITY || textWidth(text) <= columns) return text
  const plain = withoutColours(text)
  const kept = endedAtWord(beginningOf(plain, columns - 1), plain)
  return withColoursOf(text, kept.slice(0, -1).length, kept.slice(-1))
}

export function padToWidth(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - textWidth(text)))
}

function beginningOf(plain: string, columns: number): string {
  let width = 0
  for (const { segment, index } of signsOf(plain)) {
    width += signWidth(segment)
    if (width > columns) return plain.slice(0, index)
  }
  return plain
}

/** Every colour stays, so that each one that begins also ends. */
function withColoursOf(text: string, length: number, end: string): string {
  let left = length
  let isEnded = false
  const parts = splitAtColours(text).map((part, at) => {
    if (at % 2 === 1) return part
    const shown = part.slice(0, left)
    left -= shown.length
    if (isEnded || shown.length === part.length) return shown
    isEnded = true
    return shown + end
  })
  return parts.join('')
}

function signWidth(sign: string): number {
  if (NARROW.test(sign)) return sign.length
  if (NO_WIDTH.test(sign)) return 0
  return WIDE.test(sign) ? 2 : 1
}

function withoutColours(text: string): string {
  return splitAtColours(text)
    .filter((_, at) => at % 2 === 0)
    .join('')
}
