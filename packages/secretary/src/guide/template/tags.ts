export interface Tag {
  readonly kind: 'open' | 'inverted' | 'close' | 'partial' | 'comment' | 'variable'
  readonly name: string
  readonly start: number
  readonly end: number
}

const KINDS: Readonly<Record<string, Tag['kind']>> = {
  '#': 'open',
  '^': 'inverted',
  '/': 'close',
  '>': 'partial',
}
/** A dotted name and nothing else, so that `style={{ color: 'red' }}` in a document about React stays what it is. */
const NAME = /^\{?([#^/>&]?)\s*([\w./-]+)\s*$/
const LONGEST_TAG = 200

/** The tags of a text in order. Each end is looked for once: no text takes more than one pass. */
export function* tagsIn(source: string): Generator<Tag> {
  let close = -1
  let start = source.indexOf('{{')
  while (start >= 0) {
    if (close < start + 2) close = source.indexOf('}}', start + 2)
    if (close < 0) return
    const tag = tagAt(source, start, close)
    if (tag) yield tag
    start = source.indexOf('{{', tag ? tag.end : start + 1)
  }
}

function tagAt(source: string, start: number, close: number): Tag | undefined {
  if (source[start + 2] === '!') return { kind: 'comment', name: '', start, end: close + 2 }
  if (close - start > LONGEST_TAG) return undefined
  const inside = source.slice(start + 2, close)
  const [, sign = '', name] = NAME.exec(inside) ?? []
  const isTriple = inside.startsWith('{')
  if (name === undefined || (isTriple && (sign !== '' || source[close + 2] !== '}')))
    return undefined
  return { kind: KINDS[sign] ?? 'variable', name, start, end: close + (isTriple ? 3 : 2) }
}
