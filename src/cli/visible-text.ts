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

/** The texts between our colours, and these colours themselves: every second one is a colour. */
export function splitAtColours(text: string): string[] {
  return text.split(new RegExp(`(${OURS}\\[[\\d;]*m)`))
}

/** What would move the cursor, change the title, hide or turn words around, written out as `\u001b`. */
export function escapedText(text: string): string {
  return text.replace(UNSAFE, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Text for a terminal: nothing in it acts on the terminal but our own colours. JSON writes such signs the same way. */
export function visibleText(text: string): string {
  return escapedText(text).replace(OUR_COLOUR, `${ESC}$1`)
}
