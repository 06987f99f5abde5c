interface Block {
  /** What every key of the kind has; most texts do not, and are not looked at any further. */
  readonly mark: string
  readonly begin: RegExp
  readonly end: RegExp
}

const BLOCKS: readonly Block[] = [
  {
    mark: 'PRIVATE KEY',
    begin: /-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/,
    end: /-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/,
  },
  {
    mark: 'PuTTY-User-Key-File',
    begin: /PuTTY-User-Key-File-\d/,
    end: /Private-(?:MAC|Hash): ?[\da-f]{0,128}/,
  },
]
const AGE_KEY = /AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]{16,}/g
/** `-----BEGIN ` in base64, as clusters and build servers keep keys. */
const ENCODED = /LS0tLS1CRUdJTi[\w+/]{10,}={0,2}/g
const JSON_KEY = /("(?:d|p|q|dp|dq|qi|k)"\s{0,10}:\s{0,10}")[\w+/=-]{8,}(?=")/g
const HIDDEN = '[redacted:private-key]'
/** PEM takes at most this many characters for the largest keys in use. */
const LONGEST_KEY = 20_000

/** A file that is nothing but a key, whatever its name. */
export function isPrivateKeyFile(text: string): boolean {
  const start = text.slice(0, 200).trimStart()
  return BLOCKS.some(({ begin }) => start.search(begin) === 0)
}

/** Keys within a text are hidden, line by line, so that every other line keeps its number. */
export function hidePrivateKeys(text: string): string {
  let shown = text
  for (const block of BLOCKS) if (shown.includes(block.mark)) shown = withoutBlocks(shown, block)
  if (shown.includes('AGE-SECRET-KEY')) shown = shown.replace(AGE_KEY, HIDDEN)
  return hideEncodedKeys(shown)
}

/** Those that are one word: in base64, and in a JSON Web Key. */
export function hideEncodedKeys(text: string): string {
  let shown = text
  if (shown.includes('LS0tLS1CRUdJTi'))
    shown = shown.replace(ENCODED, (value) => (isEncodedKey(value) ? HIDDEN : value))
  return shown.includes('"kty"') ? shown.replace(JSON_KEY, `$1${HIDDEN}`) : shown
}

function withoutBlocks(text: string, { begin, end }: Block): string {
  let rest = text
  let shown = ''
  for (let found = begin.exec(rest); found; found = begin.exec(rest)) {
    const from = found.index
    const bound = rest.slice(from, from + LONGEST_KEY)
    const last = end.exec(bound)
    const length = last ? last.index + last[0].length : bound.length
    const lines = bound.slice(0, length).split('\n').length
    shown += rest.slice(0, from) + Array(lines).fill(HIDDEN).join('\n')
    rest = rest.slice(from + length)
  }
  return shown + rest
}

/** Certificates and public keys begin in the same way. */
function isEncodedKey(value: string): boolean {
  return Buffer.from(value.slice(0, 120), 'base64').toString('latin1').includes('PRIVATE KEY')
}

/** Whether a line belongs to a key, by what stands before it in its file. */
export function isWithinPrivateKey(before: string, line: string): boolean {
  const text = before.slice(-LONGEST_KEY) + line
  return !hidePrivateKeys(text).endsWith(line)
}
