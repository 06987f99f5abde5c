/** As long as the server's previews get: one of that length is a beginning. */
const PREVIEW = 80
const MAX_PLAIN = 1_000

/** The beginning of a longer text: it ends at a word, with "…" for what is missing. */
export function shownBeginning(text: string, longest: number): string {
  if (text.length <= longest) return text
  const isWordEnd = /\s/.test(text[longest - 1] ?? '')
  return endedAtWord(text.slice(0, longest - 1), isWordEnd)
}

/** A title as it is read: without the marks of Markdown. */
export function plainTitle(text: string): string {
  return text
    .slice(0, MAX_PLAIN)
    .replace(/^(?:[#>]{1,6} |[-*] )/, '')
    .replace(/\*\*|__|`/g, '')
    .trim()
}

export function shownPreview(preview: string): string {
  return preview.length < PREVIEW - 1 ? preview : endedAtWord(preview, false)
}

function endedAtWord(beginning: string, isWordEnd: boolean): string {
  const cut = beginning.replace(/[\ud800-\udbff]$/, '')
  const word = isWordEnd ? cut : cut.replace(/(?<!\s)\s+\S*$/, '')
  // A language without spaces, or one endless word, is cut where it must be.
  const kept = word.length < cut.length / 2 ? cut : word
  return `${kept.replace(/(?<![\s,;:.–—-])[\s,;:.–—-]+$/, '')}…`
}
