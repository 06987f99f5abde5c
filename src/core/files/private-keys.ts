const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/
const HIDDEN = '[redacted:private-key]'
/** PEM takes at most this many characters for the largest keys in use. */
const LONGEST_KEY = 20_000

/** A file that is nothing but a key, whatever its name. */
export function isPrivateKeyFile(text: string): boolean {
  const start = text.slice(0, 200).trimStart()
  return BEGIN.test(start) && start.search(BEGIN) === 0
}

/** Keys within a text are hidden, line by line, so that every other line keeps its number. */
export function hidePrivateKeys(text: string): string {
  if (!text.includes('PRIVATE KEY')) return text
  let rest = text
  let shown = ''
  for (let begin = BEGIN.exec(rest); begin; begin = BEGIN.exec(rest)) {
    const from = begin.index
    const bound = rest.slice(from, from + LONGEST_KEY)
    const end = END.exec(bound)
    const length = end ? end.index + end[0].length : bound.length
    const lines = bound.slice(0, length).split('\n').length
    shown += rest.slice(0, from) + Array(lines).fill(HIDDEN).join('\n')
    rest = rest.slice(from + length)
  }
  return shown + rest
}

/** Whether a line belongs to a key, by what stands before it in its file. */
export function isWithinPrivateKey(before: string, line: string): boolean {
  const text = before.slice(-LONGEST_KEY) + line
  return !hidePrivateKeys(text).endsWith(line)
}
