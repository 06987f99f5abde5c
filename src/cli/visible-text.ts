/** Stands for ESC in a colour of our own until it is written. */
const OURS = '\uFDD0'

const ESC = String.fromCharCode(27)
/** Control characters but for tabs and ends of lines, and those that turn text around. */
const UNSAFE = /\r(?!\n)|(?![\t\n\r])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu
const COLOUR = new RegExp(`${ESC}(\\[[\\d;]*m)`, 'g')
const OUR_COLOUR = new RegExp(`${OURS}(\\[[\\d;]*m)`, 'g')

/** A colour that we chose, in a form that no file or name on disk can make. */
export function ownColour(styled: string): string {
  return styled.replace(COLOUR, `${OURS}$1`)
}

/**
 * Text for a terminal: what would move the cursor, change the title, hide or turn words around is written out as
 * `\u001b`, which is also how JSON says it.
 */
export function visibleText(text: string): string {
  return text
    .replace(UNSAFE, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replace(OUR_COLOUR, `${ESC}$1`)
}
