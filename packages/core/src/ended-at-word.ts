/** The beginning of a text, without half a word at its end, and with “…” for what is missing. */
export function endedAtWord(cut: string, whole: string): string {
  const next = whole[cut.length]
  const isWhole = next !== undefined && /\s/.test(next)
  const word = isWhole ? cut : cut.replace(/(?<!\s)\s+\S*$/, '')
  // A language without spaces, or one endless word, is cut where it must be.
  const kept = word.length < cut.length / 2 ? cut : word
  return `${kept.replace(/(?<![\s,;:.–—-])[\s,;:.–—-]+$/, '')}…`
}
