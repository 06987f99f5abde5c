/** A text that goes on in the next line: `"one " ⏎ "two"`, with `+`, `.` or `\` between where the language wants it. */
const GOES_ON =
  /(["'`])[ \t]{0,4}[+.\\]?[ \t]{0,4}\r?\n[ \t]{0,120}(?:[+.] {0,4})?[a-z]{0,2}\1(?!\1)/g
/** What stands inside a text of markup without ending it. */
const INLINE = /<\/?(?:a|b|br|code|em|i|small|span|strong)\b[^<>]{0,200}>|\{\{[^{}]{0,80}\}\}/gi
const TEXTS =
  /"((?:[^"\\\n]|\\.){8,600})"|'((?:[^'\\\n]|\\.){8,600})'|`([^`]{8,600})`|[>}]([^<>{}=;]{8,600})[<{]/g
/** Names, paths and addresses in quotes have no blanks. */
const TWO_WORDS = /\p{L}\s+\S{0,40}\p{L}/u

/** The texts in a piece of code that people are shown: what stands in quotes, and between the marks of a template. */
export function textsIn(content: string): string[] {
  return [...content.replace(GOES_ON, '').replace(INLINE, ' ').matchAll(TEXTS)]
    .map(([, double, single, template, markup]) => double ?? single ?? template ?? markup ?? '')
    .filter((text) => TWO_WORDS.test(text))
}
