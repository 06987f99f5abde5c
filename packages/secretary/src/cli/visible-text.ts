import { randomBytes } from 'node:crypto'

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
export function splitAtColours(text: string): string[] {
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
