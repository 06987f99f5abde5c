export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis' | 'strike'; readonly parts: readonly Inline[] }
  | { readonly kind: 'link'; readonly to: string; readonly parts: readonly Inline[] }

/**
 * Each alternative is a mark that begins something; the text between them stays as it is. No two parts of one may match
 * the same text, or a hostile paragraph would be tried in more ways than anybody can wait for.
 */
const MARK =
  /(`+)([\s\S]*?[^`])\1(?!`)|\*\*(?=\S)([\s\S]*?\S)\*\*|__(?=\S)([\s\S]*?\S)__(?!\w)|(?<!\w)\*(?=\S)([^*]*?\S)\*|(?<!\w)_(?=\S)([^_]*?\S)_(?!\w)|~~(?=\S)([\s\S]*?\S)~~|!?\[([^\]\n]*)\]\(\s*<?([^\s)>]{0,2000})>?(?:\s[^)\n]*)?\)|<(https?:\/\/[^\s>]+)>|(?<![\w/])(https?:\/\/[^\s<>()]+[^\s<>().,;:!?'"])|\\([\\`*_{}[\]()#+\-.!|>~])/g
const DEEPEST = 8
const LONGEST = 8_000

export function parseInline(text: string, depth = 0): Inline[] {
  // A paragraph of this length is no prose; marks in it are not looked for.
  if (depth > DEEPEST || text.length > LONGEST) return [{ kind: 'text', text }]
  const parts: Inline[] = []
  let at = 0
  const plain = (end: number) => {
    if (end > at) parts.push({ kind: 'text', text: text.slice(at, end) })
  }
  for (const match of text.matchAll(MARK)) {
    plain(match.index)
    at = match.index + match[0].length
    parts.push(inlineOf(match, depth + 1))
  }
  plain(text.length)
  return parts
}

function inlineOf(match: RegExpExecArray, depth: number): Inline {
  const [
    whole,
    ,
    code,
    strong,
    strongToo,
    emphasis,
    emphasisToo,
    strike,
    label,
    to,
    bracketed,
    bare,
    escaped,
  ] = match
  if (code !== undefined) return { kind: 'code', text: code.trim() }
  const bold = strong ?? strongToo
  if (bold !== undefined) return { kind: 'strong', parts: parseInline(bold, depth) }
  const leaning = emphasis ?? emphasisToo
  if (leaning !== undefined) return { kind: 'emphasis', parts: parseInline(leaning, depth) }
  if (strike !== undefined) return { kind: 'strike', parts: parseInline(strike, depth) }
  if (to !== undefined) return linked(to, parseInline(label || to, depth))
  const address = bracketed ?? bare
  if (address !== undefined) return linked(address, [{ kind: 'text', text: address }])
  return { kind: 'text', text: escaped ?? whole }
}

/** Only addresses that cannot run anything become links; the rest stays words. Pictures are named, not fetched. */
function linked(to: string, parts: readonly Inline[]): Inline {
  if (/^(https?:|mailto:|guide:)/i.test(to)) return { kind: 'link', to, parts }
  return { kind: 'emphasis', parts }
}
