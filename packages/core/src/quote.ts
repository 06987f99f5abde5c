/**
 * Text that somebody else wrote, as it may stand in a prompt, a hook's answer or a terminal. Whoever wrote it cannot start a line, a heading
 * or a section of ours, cannot hide characters and cannot move the cursor.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are removed
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
/** Signs that hide text, carry text nobody sees, or change its direction. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|[\u2028\u2029\ufff9-\ufffb]/gu
const ESCAPES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals colour their output with them
  /\u001b(?:\[[\d;?]*[ -/]*[@-~]|\][^\u0007\u001b]{0,2000}(?:\u0007|\u001b\\)|[@-Z\\-_])/g
/** What begins a heading, a list, a quotation, a table, a fence, a rule, a tag or the definition of a link in Markdown. */
const STRUCTURE =
  /^(?=(?:#{1,6}(?:\s|$)|[-*+]\s|\d+[.)]\s|>|\||`{3}|~{3}|={3,}\s*$|-{3,}\s*$|_{3,}\s*$|<|\[[^\]]{1,1000}\]:))/
/** Within a line: images are fetched by whatever shows them, comments hide what follows, tags do what they are for. */
const ACTIVE =
  /!(?=\[)|<(?=!--|\/?(?:a|audio|base|details|embed|form|iframe|img|input|link|meta|object|picture|script|style|svg|video)\b)/gi
/** The tags that agents put around what comes from nobody's keyboard. */
const AGENTS_TAGS =
  /<(?=\/?(?:(?:system|assistant|human|instructions?)|(?:system|user|function|tool|hook|command|task|local|antml)[-_:][\w-]{1,40})\b)/gi

/** One line, whatever the text holds. */
export function quoteLine(text: string): string {
  return withoutControls(text)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(STRUCTURE, '\\')
    .replace(ACTIVE, '\\$&')
}

/** All lines of a text, each marked as a quotation. */
export function quoteBlock(text: string): string {
  return markLines(withoutControls(text).replace(ACTIVE, '\\$&'))
}

/** The same for code, which has to stay as it is to be of use: a fence that nothing in it closes keeps it from acting. */
export function quoteCode(text: string, language = ''): string {
  const code = withoutControls(text)
  const longest = Array.from(code.matchAll(/`{3,}/g), ([run]) => run.length)
  const fence = '`'.repeat(longest.reduce((most, length) => Math.max(most, length + 1), 3))
  return markLines(`${fence}${language}\n${code}\n${fence}`)
}

function markLines(text: string): string {
  return text
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
    .replace(AGENTS_TAGS, '\\<')
}
