/**
 * Text that somebody else wrote, as it may stand in a prompt, a hook's answer or a terminal. Whoever wrote it cannot start a line, a heading
 * or a section of ours, cannot hide characters and cannot move the cursor.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are removed
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
/** Marks that hide text or change its direction. */
const INVISIBLE = /[\u00ad\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu
const ESCAPES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals colour their output with them
  /\u001b(?:\[[\d;?]*[ -/]*[@-~]|\][^\u0007\u001b]{0,2000}(?:\u0007|\u001b\\)|[@-Z\\-_])/g
/** What begins a heading, a list, a quotation, a table, a fence or a tag in Markdown. */
const STRUCTURE = /^(?=(?:#{1,6}(?:\s|$)|[-*+]\s|\d+[.)]\s|>|\||`{3}|~{3}|={3,}\s*$|-{3,}\s*$|<))/

/** One line, whatever the text holds. */
export function quoteLine(text: string): string {
  return withoutControls(text).replace(/\s+/g, ' ').trim().replace(STRUCTURE, '\\')
}

/** All lines of a text, each marked as a quotation. */
export function quoteBlock(text: string): string {
  return withoutControls(text)
    .split(/\r\n|[\n\r\v\f\u0085]/)
    .map((line) => (line.trim() === '' ? '>' : `> ${line}`))
    .join('\n')
}

function withoutControls(text: string): string {
  return text
    .replace(ESCAPES, '')
    .replaceAll('\r\n', '\n')
    .replace(CONTROLS, ' ')
    .replace(INVISIBLE, '')
}
